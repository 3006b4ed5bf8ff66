while read -r word rest; do
  case $word in
    ugi) printf 'id name centre first\nugiok\n' ;;
    isready) echo readyok ;;
    position) moves=" $rest " ;;
    go) for cell in b2 a1 c1 a3 c3 b1 a2 c2 b3; do
          case $moves in *" $cell "*) ;; *) echo "bestmove $cell"; break ;; esac
        done ;;
    quit) exit ;;
  esac
done
