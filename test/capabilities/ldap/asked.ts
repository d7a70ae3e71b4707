import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { Directory } from '../../../src/capabilities/ldap/directory.ts';
import { KINDS } from '../../../src/capabilities/ldap/kinds.ts';
import type { DirectoryOptions } from '../../../src/capabilities/ldap/options.ts';
import { afterwards } from '../../service/afterwards.ts';
import { GROUPS, READER, READER_PASSWORD, type Slapd, USERS } from '../../service/slapd.ts';

/** A report about a server: its URL and its fault, or its URL alone when it answers again. */
export type Heard = readonly [url: string, fault: string | undefined];

/** How a slapd is asked. */
export function optionsFor(slapd: Slapd, more: Partial<DirectoryOptions> = {}): DirectoryOptions {
  return {
    kind: 'openldap',
    servers: [slapd.url],
    startTls: false,
    ca: undefined,
    bindDn: READER,
    bindPassword: () => READER_PASSWORD,
    userBase: USERS,
    groupBase: GROUPS,
    nestedGroups: true,
    groupPrefix: '',
    deadline: 10_000,
    onServer: () => undefined,
    ...KINDS.openldap,
    ...more,
  };
}

/** The certificates of the authority that a slapd's own certificate is signed by. */
export const authorityOf = ({ certificate }: Slapd) => readFileSync(certificate.ca, 'utf8');

/** A directory, closed after the test, and the reports about its servers. */
export function directoryOn(t: TestContext, slapd: Slapd, more: Partial<DirectoryOptions> = {}) {
  const heard: Heard[] = [];
  const onServer = (url: string, fault: string | undefined) => void heard.push([url, fault]);
  const directory = new Directory(optionsFor(slapd, { onServer, ...more }), Date.now);
  afterwards(t, () => directory.close());
  return { directory, heard };
}
