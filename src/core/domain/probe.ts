/** What a probe of readiness says. */
export interface ProbeResult {
  readonly isReady: boolean;
  /** Whether the service was looked at for this probe; false for what the last look found. */
  readonly isTested: boolean;
}

/** Tells whether the service is ready. Anybody may ask, so it looks at the store once in ten seconds at most. */
export type ProbeReadiness = () => Promise<ProbeResult>;
