/**
 * Milliseconds after which a test gives up what it waits for: a program that starts, a line that it says, a state that comes.
 * That is far more than any takes on a machine that is slow and busy, and less than a run of all tests gives one test.
 */
export const PATIENCE = 120_000;
