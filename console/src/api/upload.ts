import { forgetSession, getSession } from '../session.ts'
import type { Error as ErrorBody } from './bodies.ts'
import { ApiProblem } from './client.ts'

interface Upload {
  query: Record<string, string>
  body: Blob
  /** The share of the bytes that is sent, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

const UPLOAD_MS_MAX = 15 * 60_000

/** Sends a file to the public API and returns the body of the response. */
export async function uploadFile<Body>(path: string, upload: Upload, isSecondTry = false): Promise<Body> {
  const { token, api_url: apiUrl } = await getSession()
  const url = new URL(path, apiUrl)
  for (const [name, value] of Object.entries(upload.query)) if (value !== '') url.searchParams.set(name, value)
  const { status, text } = await post(url, token, upload)
  if (status === 401 && !isSecondTry) {
    forgetSession()
    return uploadFile(path, upload, true)
  }
  const body = parse(text)
  if (status < 200 || status > 299) throw new ApiProblem(status, body as Partial<ErrorBody>)
  return body as Body
}

/** `fetch` cannot say in every browser how much of a body is sent. */
function post(url: URL, token: string, upload: Upload): Promise<{ status: number; text: string }> {
  const { body, onProgress, signal } = upload
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.timeout = UPLOAD_MS_MAX
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', body.type === '' ? 'application/octet-stream' : body.type)
    const fail = () =>
      reject(new ApiProblem(0, { detail: 'The file did not arrive. Check your connection, then send it again.' }))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
    request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText }))
    request.addEventListener('error', fail)
    request.addEventListener('timeout', fail)
    request.addEventListener('abort', () => reject(new DOMException('The upload was stopped.', 'AbortError')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return {}
  }
}
