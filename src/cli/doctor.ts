import { Command } from 'commander';
import { settingWarnings } from '../settings/setting-warnings.ts';
import type { DoctorFinding } from './cli-context.ts';
import type { CommandDefinition } from './command-definition.ts';

const MARKS = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

/** `infinity doctor`: what this machine offers, what is wrong with it, and how to mend it. */
export const doctor: CommandDefinition = (context, finish) =>
  new Command('doctor')
    .description('Look at the machine, the libraries, the caches and the hub; say what is wrong and how to mend it.')
    .action(async () => {
      const findings: DoctorFinding[] = [...(await context.examine())];
      for (const found of settingWarnings({}, context.environment)) {
        findings.push({ state: 'warning', subject: 'Environment', found });
      }
      for (const { state, subject, found, advice } of findings) {
        context.writeOut(`${MARKS[state]} ${subject}: ${found}\n`);
        if (advice !== undefined) context.writeOut(`        -> ${advice}\n`);
      }
      finish(findings.some(({ state }) => state === 'problem') ? 1 : 0);
    });
