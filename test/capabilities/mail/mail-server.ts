import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterwards } from '../../service/afterwards.ts';
import { certified } from '../../service/certified.ts';
import { until } from '../../service/until.ts';

/** A mail as its recipient has it. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly parsed: ParsedMail;
  /** All that came, with what the body says in plain text. */
  readonly text: string;
}

/** Tells an SMTP client that it is refused. */
export const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

/** The account that the server knows. */
export const ACCOUNT = { user: 'tessera', password: 'a password of the mail server' };

interface MailServerOptions {
  /** Whether it requires TLS and the account. */
  readonly isSafe?: boolean;
  /** Why it refuses this mail; undefined if it takes it. */
  readonly refuses?: (to: string) => Error | undefined;
}

/** A mail server of the test. */
export async function startMailServer(t: TestContext, { isSafe, refuses }: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const files = isSafe ? certified(t) : undefined;
  const server = new SMTPServer({
    ...(files && { key: files.key, cert: files.cert }),
    authOptional: !isSafe,
    disabledCommands: isSafe ? [] : ['STARTTLS', 'AUTH'],
    onAuth({ username, password }, { secure }, done) {
      const isRight = secure && username === ACCOUNT.user && password === ACCOUNT.password;
      done(isRight ? null : new Error('who are you'), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      done(refuses?.(address) ?? null);
    },
    onData(stream, { envelope }, done) {
      simpleParser(stream).then((parsed) => {
        const text = parsed.text ?? '';
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), parsed, text });
        done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  afterwards(t, () => new Promise<void>((done) => server.close(() => done())));
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://${isSafe ? `${ACCOUNT.user}@` : ''}127.0.0.1:${port}`;
  return {
    url,
    mails,
    ca: files?.ca ?? '',
    got: (most: number) => until(`${most} mails`, () => mails.length >= most),
  };
}

/** The settings with which a service sends mail over this server. */
export const mailSettings = ({ url }: { readonly url: string }) => ({
  TESSERA_SMTP_URL: url,
  TESSERA_MAIL_FROM: 'Tickets <tickets@example.org>',
  TESSERA_PORTAL_URL: 'https://portal.example.org',
});

/** The sender's address of a mail. */
export const senderOf = ({ parsed }: ReceivedMail) => (parsed.from as AddressObject).value[0];
