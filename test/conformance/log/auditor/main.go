// The auditor checks a tiled transparency log (c2sp.org/tlog-tiles) with Go's own note and tlog packages.
//
// It shares no code with the implementation that it judges. It concludes nothing from tlog's tile reader
// (CVE-2026-56865): the tree is built again from the entries, and everything served is compared with it.
//
// Exit code 0: the log is sound. 1: refused, with the reason. 2: it cannot tell.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// refusal is a proof that the log is wrong; any other error only means that nothing is known.
type refusal struct{ reason string }

func (r refusal) Error() string { return r.reason }

func refuse(format string, args ...any) error { return refusal{fmt.Sprintf(format, args...)} }

type list []string

func (l *list) String() string         { return strings.Join(*l, ",") }
func (l *list) Set(value string) error { *l = append(*l, value); return nil }

func main() {
	var witnesses, proofs, promises list
	url := flag.String("url", "", "prefix of the log, without a slash at the end")
	vkey := flag.String("vkey", "", "verifier key of the log")
	origin := flag.String("origin", "", "origin of the tree, if it is not the name of the key")
	old := flag.String("old", "", "file with an older checkpoint")
	quorum := flag.Int("quorum", 0, "how many of the witnesses must have cosigned")
	promiseKey := flag.String("promise-vkey", "", "verifier key of the promises")
	flag.Var(&witnesses, "witness", "verifier key of a witness, type 4; repeatable")
	flag.Var(&proofs, "proof", "tlog-proof file of an entry of this log; repeatable")
	flag.Var(&promises, "promise", "file with a promise that must be kept; repeatable")
	flag.Parse()

	keys, err := newKeys(*vkey, *origin, witnesses, *quorum)
	if err == nil {
		err = run(&source{prefix: *url}, keys, *old, proofs, promises, *promiseKey)
	}
	var refused refusal
	switch {
	case err == nil:
	case errors.As(err, &refused):
		fmt.Println("REFUSED", refused.reason)
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "auditor:", err)
		os.Exit(2)
	}
}

func run(src *source, keys *keys, old string, proofs, promises []string, promiseKey string) error {
	served, err := src.get("checkpoint")
	if err != nil {
		return err
	}
	head, err := keys.open(served)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	tree, err := rebuild(src, head.size)
	if err != nil {
		return err
	}
	if err := tree.checkRoot(head); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := tree.checkTiles(src); err != nil {
		return err
	}
	if old != "" {
		if err := checkOld(old, keys, tree, head); err != nil {
			return fmt.Errorf("%s: %w", old, err)
		}
	}
	for _, file := range proofs {
		if err := checkProof(file, keys, tree); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	for _, file := range promises {
		if err := checkPromise(file, promiseKey, head.origin, tree); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	fmt.Printf("WELL size=%d cosigned=%d files=%d bytes=%d\n", head.size, head.cosigned, src.files, src.bytes)
	return nil
}

func checkOld(file string, keys *keys, tree *tree, head *head) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	// The quorum is asked of the new checkpoint; the old one was accepted when it was new.
	before, err := keys.withoutQuorum().open(text)
	if err != nil {
		return err
	}
	return tree.checkConsistency(before, head)
}

func checkPromise(file, vkey, origin string, tree *tree) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	opened, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return refuse("promise: %v", err)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 6 || lines[0] != "assay promise v1" || lines[1] != origin || lines[5] != "" {
		return refuse("this is not a promise of this log")
	}
	entry := "assay receipt v1\n" + lines[2] + "\n" + lines[3] + "\n"
	for _, kept := range tree.entries {
		if string(kept) == entry {
			return nil
		}
	}
	return refuse("the promise for %s was not kept", lines[2])
}
