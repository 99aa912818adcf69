/**
 * Bytes in a bucket, by the API of S3. The client of AWS signs each request with the hash of its payload, so that a store
 * refuses what was damaged on its way. It is loaded at the first use, so that other processes never have it in memory. It calls
 * the operator's endpoint and no other address.
 */
import { Readable } from 'node:stream'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { type OwnServerFetch, openOwnServerFetch } from '../web/outgoing-fetch.ts'
import { type BlobStore, StoreFailure } from './blob-store.ts'

export interface ObjectStoreOptions {
  endpoint: URL
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  bytesMax: number
}

const CONNECTIONS = 16
const TIMEOUT_MS = 10_000
const ATTEMPTS = 2
/** Beyond the bytes of an object: an error is a short document. */
const REPLY_BYTES_OVER = 64_000

export class ObjectStore implements BlobStore {
  readonly #options: ObjectStoreOptions
  readonly #server: OwnServerFetch
  #client: Promise<{ client: S3Client; sdk: typeof import('@aws-sdk/client-s3') }> | null = null

  constructor(options: ObjectStoreOptions) {
    this.#options = options
    this.#server = openOwnServerFetch(options.endpoint.origin, {
      connections: CONNECTIONS,
      timeoutMs: TIMEOUT_MS,
      bodyBytesMax: options.bytesMax + REPLY_BYTES_OVER,
    })
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const { client, sdk } = await this.#open()
    const object = { Bucket: this.#options.bucket, Key: name }
    try {
      await client.send(new sdk.PutObjectCommand({ ...object, Body: bytes, IfNoneMatch: '*' }))
    } catch (error) {
      // It is there already: an earlier try was not answered.
      if (statusOf(error) !== 412) throw new StoreFailure('keep the object', error)
      const there = await this.find(name)
      if (!there?.equals(bytes)) throw new StoreFailure('keep the object, and has other bytes under its name', error)
    }
  }

  async find(name: string): Promise<Buffer | null> {
    const { client, sdk } = await this.#open()
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: this.#options.bucket, Key: name }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    } catch (error) {
      if (statusOf(error) === 404 && isMissingKey(error)) return null
      throw new StoreFailure('give the object', error)
    }
  }

  async remove(name: string): Promise<void> {
    const { client, sdk } = await this.#open()
    try {
      await client.send(new sdk.DeleteObjectCommand({ Bucket: this.#options.bucket, Key: name }))
    } catch (error) {
      throw new StoreFailure('delete the object', error)
    }
  }

  async close(): Promise<void> {
    await this.#server.close()
  }

  #open() {
    this.#client ??= loadClient(this.#options, this.#server)
    return this.#client
  }
}

async function loadClient(options: ObjectStoreOptions, { send }: OwnServerFetch) {
  const sdk = await import('@aws-sdk/client-s3')
  const { endpoint, region, accessKey: accessKeyId, secretKey: secretAccessKey } = options
  const client = new sdk.S3Client({
    endpoint: endpoint.origin,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // The bucket as part of the path: one origin, whichever store it is.
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // The signature has the hash of the payload. Stores differ in what else they understand.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: false,
    requestHandler: toHandler(send),
  })
  return { client, sdk }
}

type Handler = Extract<NonNullable<S3ClientConfig['requestHandler']>, { handle: unknown }>
type SignedRequest = Parameters<Handler['handle']>[0]

/** Sends what the client has signed by our own `fetch`, within its bounds. */
function toHandler(send: OwnServerFetch['send']): Handler {
  const handle = async (request: SignedRequest) => {
    const { host: _, 'content-length': __, ...headers } = request.headers
    const port = request.port === undefined ? '' : `:${request.port}`
    const query = new URLSearchParams(
      Object.entries(request.query).map(([name, value]): [string, string] => [name, [value].flat().join()]),
    ).toString()
    const url = `${request.protocol}//${request.hostname}${port}${request.path}${query && `?${query}`}`
    const body: Uint8Array | undefined = request.body
    const response = await send(url, {
      method: request.method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const reply = {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: Readable.from([bytes]),
    }
    return { response: reply }
  }
  return { handle, metadata: { handlerProtocol: 'http/1.1' } }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

/** A bucket that is missing is a mistake in the settings. */
const isMissingKey = (error: unknown): boolean => (error as Error).name !== 'NoSuchBucket'
