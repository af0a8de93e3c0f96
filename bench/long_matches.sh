#!/usr/bin/env bash
# The long matches and batches by which players and numbers are judged. Everything can be stopped and taken up
# again: run it anew and it goes on. usage: bench/long_matches.sh [WORKERS] [FOLDER]
set -eu
workers=${1:-2} out=${2:-batches}
mkdir -p "$out"
[ -d "$out/frozen" ] || git worktree add -q --detach "$out/frozen" 6055ad9
match() { # NAME GAME PLAYERS GAMES
    echo "== $1"
    python -m bench.strength "$2" --players "$3" --games "$4" --seed "$1" --out "$out/$1.jsonl" \
        --frozen "$out/frozen" --workers "$workers"
}
grognard lab run a_victory_lost --games 400 --players commander,commander --seed fresh-400 \
    --workers "$workers" --out "$out/avl-400"
grognard lab report "$out/avl-400" --table
match avl-frozen a_victory_lost regular,frozen 100
match len-frozen leningrad regular,frozen 100
match len-greedy leningrad regular,greedy 100
match len-recruit leningrad regular,recruit 100
match len-veteran leningrad veteran,regular 100
match avl-greedy a_victory_lost regular,greedy 100
match avl-recruit a_victory_lost regular,recruit 100
match avl-veteran a_victory_lost veteran,regular 100
grognard lab run leningrad --games 400 --players commander,commander --seed fresh-400 \
    --workers "$workers" --out "$out/len-400"
grognard lab report "$out/len-400" --table
python -m bench.large_army --stacks 100 1000
for game in leningrad a_victory_lost; do
    grognard lab tune "$game" --games 200 --workers "$workers" --out "$out/tune-$game"
    match "$game-tuned" "$game" "regular@$out/tune-$game/own,regular" 100
done
