/** The certificates of the simulated sites. */
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Authority } from '../../src/lib/web/certificates.fixture.ts'
import { CERTIFICATE_FIELDS, type CertificateField } from './site-settings.ts'

export type Subject = Partial<Record<CertificateField, string | undefined>>

/** Identifiers of the fields that the library knows no name for. */
const OIDS: Partial<Record<CertificateField, string>> = {
  serialNumber: '2.5.4.5',
  businessCategory: '2.5.4.15',
  jurisdictionC: '1.3.6.1.4.1.311.60.2.1.3',
}
/** X.520 and the rules for extended validation allow these no other kind of string. */
const PRINTABLE: ReadonlySet<CertificateField> = new Set(['C', 'jurisdictionC', 'serialNumber'])

export async function issue(
  authority: Authority,
  { subject, names }: { subject: Subject; names: string[] },
): Promise<SecureContext> {
  const fields = CERTIFICATE_FIELDS.flatMap((field) => {
    const value = subject[field]
    if (!value) return []
    return [{ [OIDS[field] ?? field]: [PRINTABLE.has(field) ? { printableString: value } : { utf8String: value }] }]
  })
  return createSecureContext(await authority.certify({ names, subject: fields }))
}
