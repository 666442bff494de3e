#compdef tasuki
# Completion of the command tasuki by itself: share/zsh/site-functions/_tasuki.
eval "$(_TASUKI_COMPLETE=source_zsh tasuki)"
_tasuki_completion "$@"
