"""What users see: tables, JSON, figures of papers, progress, and how the machine is named."""
