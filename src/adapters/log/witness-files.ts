import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { WitnessState } from '../../ports/log/witness-state.ts';
import { syncFolder, writeSynced } from '../system/durable-file.ts';

/** Each kind has room of its own, so that wrong proofs cannot crowd out a fork. */
const EVIDENCE_MAX = 64;

/**
 * One file for each log, replaced as a whole: a power cut leaves the old checkpoint or the new one. A folder belongs to one
 * process. Tests stop after a step.
 */
export function witnessFiles(folder: string, onStep: (step: 'written') => void = () => {}): WitnessState {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const replace = (file: string, text: string) => {
    // One name for all: on a full disk drafts would pile up.
    const draft = join(folder, 'draft');
    writeSynced(draft, text, 'w');
    onStep('written');
    renameSync(draft, file);
    syncFolder(folder);
  };
  return {
    read(originHash) {
      try {
        return readFileSync(join(folder, originHash), 'utf8');
      } catch (fault) {
        // Any other failure must not pass for a log that was never seen.
        if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return null;
        throw fault;
      }
    },
    replace: (originHash, note) => replace(join(folder, originHash), note),
    keepEvidence({ kind, at, checkpoint, text }) {
      const kept = readdirSync(folder).filter((name) => name.startsWith('evidence-') && name.endsWith(kind));
      const end = `-${hash('sha256', checkpoint, 'hex').slice(0, 16)}-${kind}`;
      if (kept.length >= EVIDENCE_MAX || kept.some((name) => name.endsWith(end))) return;
      const time = at.toISOString().replaceAll(/[-:.]/g, '');
      replace(join(folder, `evidence-${time}${end}`), text);
    },
  };
}
