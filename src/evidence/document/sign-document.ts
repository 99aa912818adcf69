/** Signs a PDF as PAdES B-T: the signature covers every byte, and an authority confirms its time. */
import { sign } from 'node:crypto'
import { PDF, type Signer } from '@libpdf/core'
import { BadForm, REASON_START } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { requestStamp } from '../stamp/authority.ts'
import type { DocumentSigner } from './certificates.ts'

/** Room for certificates and the time stamp, which has certificates of its own. */
const SIGNATURE_BYTES_MAX = 24 * 1024

/** Returns the signed file. Without an authority, or while it is away, the signature has no time stamp (B-B). */
export async function signDocument(
  app: Pick<App, 'config' | 'clock' | 'log'>,
  unsigned: Uint8Array,
  of: { signer: DocumentSigner; recordId: string },
): Promise<Buffer> {
  if (!app.config.timeStamp) return signOnce(app, unsigned, { ...of, isStamped: false })
  try {
    return await signOnce(app, unsigned, { ...of, isStamped: true })
  } catch (error) {
    if (!(error instanceof StampFailure)) throw error
    app.log.warn({ event: 'evidence.document_not_stamped', error: error.cause })
    return signOnce(app, unsigned, { ...of, isStamped: false })
  }
}

class StampFailure extends Error {}

async function signOnce(
  app: Pick<App, 'config' | 'clock'>,
  unsigned: Uint8Array,
  of: { signer: DocumentSigner; recordId: string; isStamped: boolean },
): Promise<Buffer> {
  const pdf = await PDF.load(unsigned)
  const timestampAuthority = {
    async timestamp(digest: Uint8Array): Promise<Uint8Array> {
      try {
        return await requestStamp(app, Buffer.from(digest))
      } catch (cause) {
        throw new StampFailure('the document has no time stamp', { cause })
      }
    },
  }
  const { bytes } = await pdf.sign({
    signer: toSigner(of.signer),
    reason: `${REASON_START}${of.recordId}`,
    location: app.config.siteUrl.origin,
    signingTime: app.clock.now(),
    subFilter: 'ETSI.CAdES.detached',
    digestAlgorithm: 'SHA-256',
    estimatedSize: SIGNATURE_BYTES_MAX,
    ...(of.isStamped ? { level: 'B-T', timestampAuthority } : { level: 'B-B' }),
  })
  return Buffer.from(bytes)
}

/** The key never leaves this process: the library gives what is to be signed. */
function toSigner({ key, certificate, chain }: DocumentSigner): Signer {
  const isRsa = key.asymmetricKeyType === 'rsa'
  if (!isRsa && key.asymmetricKeyType !== 'ec') throw new BadForm('documents are signed by keys of RSA or ECDSA alone')
  return {
    certificate,
    certificateChain: chain,
    keyType: isRsa ? 'RSA' : 'EC',
    signatureAlgorithm: isRsa ? 'RSASSA-PKCS1-v1_5' : 'ECDSA',
    async sign(data, algorithm) {
      return sign(algorithm.replace('-', '').toLowerCase(), data, key)
    },
  }
}
