# Completion of the command tasuki by itself: share/bash-completion/completions/tasuki.
eval "$(_TASUKI_COMPLETE=source_bash tasuki)"
