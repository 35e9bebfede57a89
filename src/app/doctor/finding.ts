/** What was looked at and found; `problem` keeps the server from working, `warning` makes it work worse than it could. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly subject: string;
  readonly found: string;
  /** How to mend it. */
  readonly advice?: string;
}

/** Looks at one side of the machine. */
export type Examination = (environment: NodeJS.ProcessEnv) => Promise<readonly Finding[]>;

export const ok = (subject: string, found: string): Finding => ({ state: 'ok', subject, found });
export const warning = (subject: string, found: string, advice: string): Finding => ({
  state: 'warning',
  subject,
  found,
  advice,
});
export const problem = (subject: string, found: string, advice: string): Finding => ({
  state: 'problem',
  subject,
  found,
  advice,
});
