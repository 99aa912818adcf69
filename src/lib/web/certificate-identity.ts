import type { PeerCertificate } from 'node:tls'
import { withoutInvisible } from '../text/invisible-characters.ts'

/** The subject of a certificate. The organisation is there only when the issuer checked it (OV and EV). */
export interface CertificateIdentity {
  host: string
  commonName: string | null
  organisation: string | null
  organisationalUnit: string | null
  locality: string | null
  region: string | null
  country: string | null
  /** The subject's serial number: with EV, its number in the register of `jurisdictionCountry`. */
  serialNumber: string | null
  jurisdictionCountry: string | null
  businessCategory: string | null
  issuer: string | null
  validFrom: string
  validTo: string
  fingerprint256: string
}

const FIELD_LENGTH_MAX = 300

export function readCertificateIdentity(host: string, certificate: PeerCertificate): CertificateIdentity {
  const subject = fieldsOf(certificate.subject)
  const issuer = fieldsOf(certificate.issuer)
  return {
    host,
    commonName: subject('CN'),
    organisation: subject('O'),
    organisationalUnit: subject('OU'),
    locality: subject('L'),
    region: subject('ST'),
    country: subject('C'),
    serialNumber: subject('serialNumber'),
    jurisdictionCountry: subject('jurisdictionC'),
    businessCategory: subject('businessCategory'),
    issuer: [issuer('O'), issuer('CN')].filter((part) => part !== null).join(', ') || null,
    validFrom: new Date(certificate.valid_from).toISOString(),
    validTo: new Date(certificate.valid_to).toISOString(),
    fingerprint256: certificate.fingerprint256,
  }
}

/** A field may stand there several times; a certificate without a subject has none. */
function fieldsOf(name: PeerCertificate['subject'] | undefined): (field: string) => string | null {
  const fields: Record<string, string | string[] | undefined> = { ...name }
  return (field) => {
    const text = withoutInvisible([fields[field] ?? []].flat().join(', ')).trim()
    return text === '' ? null : text.slice(0, FIELD_LENGTH_MAX)
  }
}
