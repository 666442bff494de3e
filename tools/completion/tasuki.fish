# Completion of the command tasuki by itself: share/fish/vendor_completions.d/tasuki.fish.
_TASUKI_COMPLETE=source_fish tasuki | source
