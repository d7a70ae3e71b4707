import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  type CertifiedKey,
  readCertificate,
  renewalWarning,
  validityFault,
} from '../../core/http/tls/certificate.ts';
import { type SettingKey, type Settings, variableOf } from '../../core/settings/table.ts';
import { certificatesIn } from '../../core/settings/trusted-certificates.ts';
import {
  type CheckResult,
  type DoctorCheck,
  ok,
  orOk,
  sentence,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';

const IN_PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const certificatesOf = (pem: string) => [...pem.matchAll(IN_PEM)].map(([text]) => new X509Certificate(text));

/** Why clients may find no way from the certificate to an authority that they trust. */
function chainFinding({ cert }: CertifiedKey, file: string): CheckResult | undefined {
  const chain = certificatesOf(cert.toString('latin1'));
  const gap = chain.findIndex(
    (each, at) => at + 1 < chain.length && !each.checkIssued(chain[at + 1] as X509Certificate),
  );
  if (gap >= 0)
    return warning(
      `in ${file} certificate ${gap + 2} did not issue certificate ${gap + 1}, so clients may not find the authority`,
      'put the own certificate first, and behind each the one that issued it',
    );
  const [leaf] = chain;
  if (chain.length !== 1 || leaf === undefined || leaf.checkIssued(leaf)) return undefined;
  return warning(
    `${file} holds no certificate of an intermediate authority: clients that do not know the issuer refuse the connection`,
    'use the file with the whole chain (fullchain.pem), unless the issuer is an authority that all clients trust',
  );
}

/** The names that clients use and the certificate does not have. */
function nameFindings({ leaf }: CertifiedKey, settings: Settings): readonly CheckResult[] {
  const portal = settings.portalUrl === '' ? [] : [new URL(settings.portalUrl).hostname];
  const used = new Set([...settings.hosts, ...portal].map((name) => name.replace(/^\[|\]$/g, '')));
  return [...used]
    .filter((name) => (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) === undefined)
    .map((name) =>
      warning(
        `the certificate is not for ${name}, which the settings name: it is for ${leaf.subjectAltName ?? leaf.subject}`,
        'have one issued with that name too',
      ),
    );
}

function keyModeFinding(file: string): CheckResult | undefined {
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o027) === 0) return undefined;
  return warning(
    `other users of this machine may use the private key ${file} (mode ${mode.toString(8)})`,
    `close it with chmod 600 '${file}'`,
  );
}

function ownCertificate(settings: Settings): readonly CheckResult[] {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === '') return [skipped('TLS is not served here')];
  const certificate = readCertificate({ cert: tlsCert, key: tlsKey });
  const [now, to] = [Date.now(), certificate.leaf.validToDate];
  const invalid = validityFault(certificate, tlsCert, now);
  const due = renewalWarning(certificate, tlsCert, now);
  const findings = [
    ...(invalid === undefined ? [] : [sentence('fault', invalid)]),
    ...(due === undefined ? [] : [sentence('warning', due)]),
    ...nameFindings(certificate, settings),
    ...[chainFinding(certificate, tlsCert), keyModeFinding(tlsKey)].flatMap((each) => each ?? []),
  ];
  return orOk(findings, `${tlsCert} belongs to its key, and is valid until ${to.toISOString()}`);
}

/** The certificates by which servers of others are checked. */
function trusted(settings: Settings, key: SettingKey): readonly CheckResult[] {
  const file = String(settings[key]);
  const pem = certificatesIn(key, file);
  if (pem === undefined) return [];
  const expired = certificatesOf(pem).find(({ validToDate }) => validToDate.getTime() < Date.now());
  if (expired === undefined) return [ok(`the certificates in ${file} are valid`)];
  return [
    warning(
      `${variableOf(key)}: a certificate in ${file} expired at ${expired.validToDate.toISOString()}, so the server may be refused`,
      'put the new one of that authority there',
    ),
  ];
}

/** The certificate that the service shows, and the certificates that it trusts. */
export const certificateCheck: DoctorCheck = {
  name: 'certificate',
  page: 'docs/how-to/tls.md',
  async look({ settings, table }) {
    return [...ownCertificate(settings), ...table.certificates.flatMap((key) => trusted(settings, key))];
  },
};
