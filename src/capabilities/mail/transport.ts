import { type Settings, variableOf } from '../../core/settings/table.ts';
import { certificatesIn } from '../../core/settings/trusted-certificates.ts';
import { visible } from '../../core/visible.ts';
import { isLocalRelay } from './settings.ts';

export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Another one in each attempt: mail servers drop what has an id that they have seen, and only the newest link works. */
  readonly messageId?: string;
}

/** Why the mail server did not take a mail. */
export interface SendFault {
  readonly why: string;
  /** Whether the server refuses this recipient for good. */
  readonly isFinal: boolean;
}

/** Milliseconds for a connection, for its greeting, and between two answers of the server. */
const PATIENCE = 15_000;
/** Milliseconds that an attempt takes at most. */
const DEADLINE = 50_000;

interface SmtpError {
  readonly message: string;
  readonly code?: string;
  readonly responseCode?: number;
  /** What OpenSSL says, without its numbers. */
  readonly reason?: string;
}

const URL_SET = variableOf('smtpUrl');

/** What to check about a failure that says no mend itself. */
const MENDS: readonly (readonly [failure: RegExp, mend: string])[] = [
  [/ECONNREFUSED/, `check that the server runs, and the port in ${URL_SET}`],
  [/ENOTFOUND|EAI_AGAIN/, `check the name in ${URL_SET}, and the name servers of this machine`],
  [/timeout|never received|ETIMEDOUT|UNREACH|no answer/i, `check ${URL_SET}, and the firewalls between`],
  [
    /wrong version|STARTTLS/,
    `smtps in ${URL_SET} is for TLS from the start, smtp for STARTTLS: try the other`,
  ],
  [/expired/, 'have the server renew it, and check the clock of this machine'],
  [/altnames/, `write a name of the certificate into ${URL_SET}`],
  [/certificate/, `name the file with the certificate of its authority in ${variableOf('smtpCa')}`],
  [
    /Invalid login|Missing credentials/,
    `check the user in ${URL_SET}, and ${variableOf('smtpPassword')}_FILE`,
  ],
];

function faultOf({ message, code, responseCode = 0, reason = message }: SmtpError): SendFault {
  const isOfRecipient = code === 'EENVELOPE' || code === 'EMESSAGE';
  const mend = isOfRecipient ? undefined : MENDS.find(([failure]) => failure.test(reason))?.[1];
  return {
    why: visible(reason).slice(0, 300) + (mend === undefined ? '' : `: ${mend}`),
    isFinal: isOfRecipient && responseCode >= 500,
  };
}

/** Sends mails over the server that is set: with TLS, whose certificate it checks, unless the server is on this machine. */
export class MailTransport {
  readonly #from: string;
  readonly #mailer: import('nodemailer').Transporter;

  private constructor(from: string, mailer: import('nodemailer').Transporter) {
    this.#from = from;
    this.#mailer = mailer;
  }

  /** Loads the library. Throws `SettingsFaulty` for a file of certificates that cannot be read. */
  static async open(settings: Settings): Promise<MailTransport> {
    const { createTransport } = await import('nodemailer');
    const { protocol, hostname, port, username } = new URL(settings.smtpUrl);
    const isTls = protocol === 'smtps:';
    const isLocal = isLocalRelay(settings);
    const ca = certificatesIn('smtpCa', settings.smtpCa);
    const user = decodeURIComponent(username);
    const mailer = createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (isTls ? 465 : isLocal ? 25 : 587),
      secure: isTls,
      requireTLS: !isTls && !isLocal,
      ignoreTLS: isLocal,
      ...(user !== '' && { auth: { user, pass: settings.smtpPassword ?? '' } }),
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch the check off.
      tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
      connectionTimeout: PATIENCE,
      greetingTimeout: PATIENCE,
      socketTimeout: PATIENCE,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return new MailTransport(settings.mailFrom, mailer);
  }

  /** Sends a mail once. Returns why it was not taken; undefined if it was. `stopped` ends the wait for the answer. */
  async send({ to, ...mail }: OutgoingMail, stopped?: AbortSignal): Promise<SendFault | undefined> {
    const late = AbortSignal.timeout(DEADLINE);
    const ended = stopped ? AbortSignal.any([late, stopped]) : late;
    const { promise, reject } = Promise.withResolvers<never>();
    const onEnd = () => reject(new Error(`no answer in ${DEADLINE} ms`));
    ended.addEventListener('abort', onEnd, { once: true });
    const message = { ...mail, from: this.#from, to: { name: '', address: to } };
    const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
    try {
      await Promise.race([this.#mailer.sendMail({ ...message, headers }), promise]);
      return undefined;
    } catch (error) {
      return faultOf(error as SmtpError);
    } finally {
      ended.removeEventListener('abort', onEnd);
    }
  }

  /** Connects and signs in, without a mail. Returns why the server refuses; undefined if it is ready. */
  async verify(): Promise<string | undefined> {
    try {
      await this.#mailer.verify();
      return undefined;
    } catch (error) {
      return faultOf(error as SmtpError).why;
    }
  }

  close(): void {
    this.#mailer.close();
  }
}
