/** A recurring job that runs in one process at a time, such as the weekly crawl. */
export interface JobRecord {
  readonly name: string;
  /** The job's own state as JSON text; null before its first run. */
  readonly state: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface JobClaim {
  readonly name: string;
  /** A random name of this attempt; only it may save and finish. */
  readonly holder: string;
  /** Start or end, by the clock of the process: a job is due by the end of its last run. */
  readonly now: Date;
  /** The lease of the claim, by the clock of the store, which all processes share. */
  readonly leaseMs: number;
}

export interface JobStore {
  read(name: string): Promise<JobRecord | null>;
  /** Takes the job unless another holder has it, in one atomic step; returns the state of its last run. */
  claim(claim: JobClaim): Promise<JobRecord | null>;
  /** Saves progress and extends the lease. False when another holder has the job: then stop. */
  save(claim: JobClaim, state: string): Promise<boolean>;
  /** Saves the outcome and frees the job. */
  finish(claim: JobClaim, state: string): Promise<boolean>;
}
