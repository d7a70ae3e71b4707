import type { Server } from 'node:http';
import type { Logger } from 'pino';
import {
  CertificateFaulty,
  CertificateKeeper,
  type CertifiedKey,
  renewalWarning,
  validityFault,
} from '../core/http/tls/certificate.ts';
import { renewCertificate } from '../core/http/tls/server.ts';
import { plainHttpFinding } from '../core/settings/dangerous-settings.ts';
import { SettingsFaulty } from '../core/settings/read.ts';
import { type Settings, variableOf } from '../core/settings/table.ts';
import { sentenceOf } from '../core/storage/opened-store.ts';
import type { ServiceParts } from './assembly.ts';

/** The certificate of the public port; undefined if the port speaks plain HTTP. Throws {@link SettingsFaulty}. */
export function certificateKeeper({ settings, log, clock }: ServiceParts): CertificateKeeper | undefined {
  const { tlsCert: cert, tlsKey: key } = settings;
  if (cert === '') return undefined;
  try {
    const keeper = new CertificateKeeper({ cert, key });
    warnOfValidity(keeper.current, cert, { log, clock });
    return keeper;
  } catch (fault) {
    throw fault instanceof CertificateFaulty ? new SettingsFaulty([fault.message]) : fault;
  }
}

/** From now on the server presents the newest good certificate. */
export function keepCertificate(
  keeper: CertificateKeeper | undefined,
  server: Server,
  { settings, log, clock }: ServiceParts,
): void {
  keeper?.watch({
    onLoaded(certificate) {
      renewCertificate(server, certificate);
      const { subjectAltName, validTo } = certificate.leaf;
      log.info({ names: subjectAltName, validTo }, 'certificate loaded');
      warnOfValidity(certificate, settings.tlsCert, { log, clock });
    },
    onFault: (fault) => log.error({ err: fault }, 'certificate faulty: the last good one stays in force'),
  });
}

function warnOfValidity(
  certificate: CertifiedKey,
  file: string,
  { log, clock }: Pick<ServiceParts, 'log' | 'clock'>,
): void {
  const now = clock();
  const fault = validityFault(certificate, file, now) ?? renewalWarning(certificate, file, now);
  if (fault !== undefined) log.warn(`${variableOf('tlsCert')}: ${fault}`);
}

/** Warns if passwords cross a network in plain HTTP, unless the settings allow it. */
export function warnOfPlainHttp(url: string, settings: Settings, log: Logger): void {
  const finding = plainHttpFinding(url, settings);
  if (finding !== undefined) log.warn(sentenceOf(finding));
}
