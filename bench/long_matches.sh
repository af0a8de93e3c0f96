#!/usr/bin/env bash
# The long matches and batches by which players and numbers are judged. Everything can be stopped and taken up
# again: run it anew and it goes on. usage: bench/long_matches.sh [WORKERS] [FOLDER] [GAMES]
# GAMES, if given, is how many games every match and batch has: 2 to see that everything runs.
set -eu
workers=${1:-2} out=${2:-batches} games=${3:-}
mkdir -p "$out"
[ -d "$out/frozen" ] || git worktree add -q --detach "$out/frozen" 6055ad9
match() { # NAME GAME PLAYERS GAMES
    echo "== $1"
    python -m bench.strength "$2" --players "$3" --games "${games:-$4}" --seed "$1" --out "$out/$1.jsonl" \
        --frozen "$out/frozen" --workers "$workers"
}
batch() { # NAME GAME GAMES
    echo "== $1"
    grognard lab run "$2" --games "${games:-$3}" --players commander,commander --seed fresh-400 \
        --workers "$workers" --out "$out/$1"
    grognard lab report "$out/$1" --table
}
batch avl-400 a_victory_lost 400
match avl-frozen a_victory_lost regular,frozen 100
match len-frozen leningrad regular,frozen 100
match len-greedy leningrad regular,greedy 100
match len-recruit leningrad regular,recruit 100
match len-veteran leningrad veteran,regular 100
match avl-greedy a_victory_lost regular,greedy 100
match avl-recruit a_victory_lost regular,recruit 100
match avl-veteran a_victory_lost veteran,regular 100
batch len-400 leningrad 400
python -m bench.large_army --stacks 100 1000
for game in leningrad a_victory_lost; do
    grognard lab tune "$game" --games "${games:-200}" --workers "$workers" --out "$out/tune-$game"
    match "$game-tuned" "$game" "regular@$out/tune-$game/own,regular" 100
done
