const MINUTE_MS = 60_000;
/** After the first attempt, the second and so on. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 720 * MINUTE_MS] as const;

/** How long to wait after so many failed attempts; null when it is given up. */
export function webhookRetryMs(failed: number): number | null {
  return DELAYS_MS[failed - 1] ?? null;
}
