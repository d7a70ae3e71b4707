import {
  type CheckResult,
  type DoctorCheck,
  orOk,
  sentence,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';
import { mailState } from './tables/receiver.ts';
import { MailTransport } from './transport.ts';

/** Mail: whether the server takes the service's connection, and whether mails were given up. */
export const mailCheck: DoctorCheck = {
  name: 'mail',
  page: 'docs/how-to/mail.md',
  needsStore: true,
  async look({ settings, store }) {
    if (settings.smtpUrl === '') return [skipped('no mail server is set')];
    const transport = await MailTransport.open(settings);
    const why = await transport.verify();
    transport.close();
    const { store: opened } = await store();
    const { dead = 0, lastFault } = (await opened.read(mailState)) ?? {};
    const findings: CheckResult[] = [];
    if (why !== undefined) findings.push(sentence('fault', `the mail server does not take mail: ${why}`));
    const givenUp = `${dead} mails were given up (${lastFault?.why})`;
    if (dead > 0) findings.push(warning(givenUp, "mend that, and run 'tessera mail retry'"));
    return orOk(findings, 'the mail server takes mail, and none was given up');
  },
};
