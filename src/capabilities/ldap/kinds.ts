import type { AttributeMap, DirectoryOptions } from './options.ts';

/** What is usual in a kind of directory. */
interface KindOfDirectory extends Pick<DirectoryOptions, 'userFilter' | 'groupFilter'> {
  readonly attributes: AttributeMap;
}

const PROFILE = {
  firstName: 'givenName',
  lastName: 'sn',
  email: 'mail',
  jobTitle: 'title',
  telephone: 'telephoneNumber',
  mobile: 'mobile',
  location: 'l',
};

/** The filters and attributes of each kind that settings can name. */
export const KINDS: Readonly<Record<'openldap' | 'active-directory', KindOfDirectory>> = {
  openldap: {
    userFilter: '(&(objectClass=inetOrgPerson)(uid={name}))',
    groupFilter: '(|(member={dn})(uniqueMember={dn})(memberUid={name}))',
    attributes: { ...PROFILE, name: 'uid', subject: 'entryUUID', group: 'cn', organization: 'o' },
  },
  'active-directory': {
    userFilter: '(&(objectCategory=person)(objectClass=user)(sAMAccountName={name}))',
    // The rule finds nested groups, too (LDAP_MATCHING_RULE_IN_CHAIN).
    groupFilter: '(&(objectClass=group)(member:1.2.840.113556.1.4.1941:={dn}))',
    attributes: {
      ...PROFILE,
      name: 'sAMAccountName',
      subject: 'objectGUID',
      group: 'sAMAccountName',
      organization: 'company',
    },
  },
};
