#!/usr/bin/env bash
# The long matches by which players and numbers are judged. Everything can be stopped and taken up again: run it
# anew and it goes on, also with a changed program, as long as that plays the same games (bench/strength.py).
# All matches grow together, round by round, those first that tell most.
# usage: bench/long_matches.sh [WORKERS] [FOLDER] [GAMES] [ROUND]
# FOLDER lies outside the repository; GAMES, if given, is how many games every match has (2 to see that everything
# runs); ROUND is how many games a match is given at a time.
set -eu
workers=${1:-2} out=${2:-../matches} most=${3:-} round=${4:-20}
mkdir -p "$out"
[ -d "$out/frozen" ] || git worktree add -q --detach "$out/frozen" 6055ad9
match() { # GAME PLAYERS GAMES SO_FAR: the match with so many games, if it is to have as many
    local games=${most:-$3}
    [ "$4" -lt $((games + round)) ] || return 0
    echo "== $1 $2"
    python -m bench.strength "$1" --players "$2" --games $(($4 < games ? $4 : games)) --seed fresh \
        --store "$out" --frozen "$out/frozen" --workers "$workers"
}
for ((so_far = round; so_far < ${most:-400} + round; so_far += round)); do
    match leningrad regular,regular 400 "$so_far" # the balance
    for game in leningrad a_victory_lost; do
        match "$game" veteran,regular 100 "$so_far"
        match "$game" regular,frozen 100 "$so_far"
        match "$game" regular,recruit 100 "$so_far"
        match "$game" regular,greedy 100 "$so_far"
    done
    match a_victory_lost regular,regular 400 "$so_far"
done
python -m bench.large_army --stacks 100 1000
for game in leningrad a_victory_lost; do
    grognard lab run "$game" --games "${most:-400}" --players commander,commander --seed fresh-400 \
        --workers "$workers" --out "$out/batch-$game"
    grognard lab report "$out/batch-$game" --table # when events happened
    grognard lab tune "$game" --games "${most:-200}" --workers "$workers" --out "$out/tune-$game"
    match "$game" "regular@$out/tune-$game/own,regular" 100 100
done
