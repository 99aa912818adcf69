import type { CertificateIdentity } from './certificate-identity.ts'

export interface WebRequest {
  method?: 'GET' | 'POST' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For all of it, from the name to the last byte; with `follow`, over all hops. */
  timeoutMs: number
  /** Counted after decoding. */
  bodyBytesMax: number
  whenTooLarge: 'cut' | 'refuse'
  /** Asked before the body is read. When it says no, the answer comes without its body and is `skipped`. */
  accepts?: (contentType: string | null) => boolean
  /** 80, 443, 8080 and 8443 unless said. */
  ports?: readonly number[]
  /** `http` and `https` unless said. */
  schemes?: readonly string[]
  /** Ends the request early, as if its time were over. */
  signal?: AbortSignal
}

export interface WebAnswer {
  url: URL
  status: number
  /** Names in lower case; a header that came several times is joined by commas. */
  headers: Record<string, string>
  body: Buffer
  /** The body went on beyond `bodyBytesMax`. */
  cut: boolean
  /** The body was not read. */
  skipped: boolean
  address: string
  certificate: CertificateIdentity | null
  /** The heads of the exchange as they were sent and received; null where the response is short. */
  heads: ExchangeHeads | null
}

export interface ExchangeHeads {
  method: string
  /** Without `host` and `connection`, which come first. */
  sent: Record<string, string>
  statusText: string
  /** Names and values alternating, each byte as one character. */
  received: readonly string[]
}

/** A GET whose body is passed on. `timeoutMs` and `bodyBytesMax` bound all of it. */
export type OpenRequest = Pick<WebRequest, 'headers' | 'timeoutMs' | 'bodyBytesMax' | 'ports' | 'schemes'>

export interface OpenAnswer extends Pick<WebAnswer, 'status' | 'headers'> {
  body: AsyncGenerator<Buffer>
}
