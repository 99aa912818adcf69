import type { PeerCertificate } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readCertificateIdentity } from './certificate-identity.ts'
import { createAuthority } from './certificates.fixture.ts'
import { GuardedClient, type WebSession } from './guarded-client.ts'
import { type SmallWeb, startSmallWeb } from './small-web.fixture.ts'

const REQUEST = { timeoutMs: 5_000, bodyBytesMax: 1_000, whenTooLarge: 'cut' } as const
const EV_SUBJECT = [
  { '1.3.6.1.4.1.311.60.2.1.3': ['GB'] },
  { '2.5.4.15': ['Private Organization'] },
  { '2.5.4.5': ['01234567'] },
  { C: ['GB'] },
  { ST: ['Greater London'] },
  { L: ['London'] },
  { O: ['Acme Trading Limited'] },
  { OU: ['Web'] },
  { CN: ['acme.example'] },
]

let web: SmallWeb
let client: GuardedClient
let session: WebSession
beforeAll(async () => {
  web = await startSmallWeb()
  web.names.set('acme.example', ['93.184.216.34'])
})
afterAll(() => web[Symbol.asyncDispose]())
beforeEach(() => {
  web.certificates.clear()
  web.sites.set('acme.example', (_, response) => response.end('secret'))
  client = new GuardedClient({ userAgent: 'x', dnsServers: [], simulated: web.simulated })
  session = client.openSession()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await client.close()
})

test('the answer tells whom the certificate was issued to', async () => {
  web.certificates.set('acme.example', await web.authority.certify({ names: ['acme.example'], subject: EV_SUBJECT }))
  const { certificate, address } = await session.send('https://acme.example/', REQUEST)
  expect(address).toBe('93.184.216.34')
  expect(certificate).toEqual({
    host: 'acme.example',
    commonName: 'acme.example',
    organisation: 'Acme Trading Limited',
    organisationalUnit: 'Web',
    locality: 'London',
    region: 'Greater London',
    country: 'GB',
    serialNumber: '01234567',
    jurisdictionCountry: 'GB',
    businessCategory: 'Private Organization',
    issuer: 'Small Web Trust, Small Web Root',
    validFrom: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    fingerprint256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
  })
})

test('what nobody can see in a certificate is not told', () => {
  const seen = readCertificateIdentity('acme.co.uk', {
    subject: { O: 'Acme\u{e0049}\u{e0067}\u3164 L\u00adtd\ufe0f' },
    issuer: {},
    valid_from: 'Jan 1 00:00:00 2026 GMT',
    valid_to: 'Jan 1 00:00:00 2027 GMT',
  } as unknown as PeerCertificate)
  expect(seen.organisation).toBe('Acme Ltd')
})

test('a certificate that proves only the name has no organisation; it is told on kept connections too', async () => {
  await session.send('https://acme.example/', REQUEST)
  const { certificate } = await session.send('https://acme.example/again', REQUEST)
  expect(certificate).toMatchObject({ commonName: 'acme.example', organisation: null, serialNumber: null })
})

const yesterday = new Date(Date.now() - 86_400_000)
test.each([
  ['for another name', { names: ['other.example'] }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['for a name below it only', { names: ['*.acme.example'] }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['that vouches for itself', { names: ['acme.example'], isSelfSigned: true }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['that has expired', { names: ['acme.example'], validTo: yesterday }, 'CERT_HAS_EXPIRED'],
])('a certificate %s is refused and nothing is sent, whatever the environment says', async (_, options, detail) => {
  let asked = 0
  web.sites.set('acme.example', (_request, response) => {
    asked += 1
    response.end()
  })
  web.certificates.set('acme.example', await web.authority.certify(options))
  await expect(session.send('https://acme.example/', REQUEST)).rejects.toMatchObject({ reason: 'certificate', detail })
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  await expect(session.send('https://acme.example/', REQUEST)).rejects.toMatchObject({ reason: 'certificate', detail })
  expect(asked).toBe(0)
})

test('an authority nobody knows is refused', async () => {
  const stranger = await createAuthority()
  web.certificates.set('acme.example', await stranger.certify({ names: ['acme.example'] }))
  await expect(session.send('https://acme.example/', REQUEST)).rejects.toMatchObject({ reason: 'certificate' })
})

test('outside of the simulated web, its authority is not trusted, and inside, no other is', async () => {
  const other = await createAuthority()
  const simulated = { ...web.simulated, certificateAuthority: other.certificate }
  const elsewhere = new GuardedClient({ userAgent: 'x', dnsServers: [], simulated })
  const sent = elsewhere.openSession().send('https://acme.example/', REQUEST)
  await expect(sent).rejects.toMatchObject({ reason: 'certificate' })
  await elsewhere.close()
})

test('a port that speaks no TLS is told as such', async () => {
  const simulated = { ...web.simulated, httpsPort: web.simulated.httpPort }
  const plain = new GuardedClient({ userAgent: 'x', dnsServers: [], simulated })
  await expect(plain.openSession().send('https://acme.example/', REQUEST)).rejects.toMatchObject({ reason: 'tls' })
  await plain.close()
})
