/** A job that runs again and again, in one process at a time, such as the weekly crawl. */
export interface JobRecord {
  readonly name: string;
  /** What the job wants to find again, in its own words (JSON text); null before its first run. */
  readonly state: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface JobClaim {
  readonly name: string;
  /** A random name of this attempt; only it may save and finish. */
  readonly holder: string;
  /** When it begins or ends, for people; it decides nothing. */
  readonly now: Date;
  /** For how long the claim stands without further word, by the clock of the store, which all processes share. */
  readonly leaseMs: number;
}

export interface JobStore {
  read(name: string): Promise<JobRecord | null>;
  /** Takes the job unless somebody else holds it, in one atomic step; answers what its last run left behind. */
  claim(claim: JobClaim): Promise<JobRecord | null>;
  /** Saves progress and holds the job longer. False when somebody else has it by now: then stop. */
  save(claim: JobClaim, state: string): Promise<boolean>;
  /** Saves the outcome and lets go. */
  finish(claim: JobClaim, state: string): Promise<boolean>;
}
