/** What a witness keeps. Synchronous: to look at the last checkpoint and to replace it must be one step. */
export interface WitnessState {
  /** The checkpoint that was cosigned last, as a note; null for a log that never was. Throws when it cannot be read. */
  read(originHash: string): string | null;
  /** Returns when a power cut can no longer take it back. */
  replace(originHash: string, note: string): void;
  /** Signed but inconsistent: perhaps the proof that a log has misbehaved. Each checkpoint is kept once. */
  keepEvidence(evidence: KeptEvidence): void;
}

export interface KeptEvidence {
  readonly kind: EvidenceKind;
  readonly at: Date;
  /** The signed text. */
  readonly checkpoint: string;
  /** Everything that came, and the last checkpoint. */
  readonly text: string;
}

/** A fork proves misbehaviour by itself. Anybody can send a wrong proof with a checkpoint that is public. */
export type EvidenceKind = 'fork' | 'proof';
