/** A picture of words on a page, from bytes that were kept: nothing of the page runs, and nothing is loaded. */
import { type BrowserLimits, BrowserProcess } from './browser-process.ts'
import { MARK_PASSAGES } from './mark-passages.ts'

export interface PictureRequest {
  /** A build of Chromium. */
  program: string
  body: Buffer
  contentType: string
  /** The first that is found decides what the picture shows; all that are found are marked. */
  passages: readonly string[]
  limits?: Partial<BrowserLimits>
}

const LIMITS: BrowserLimits = { timeMs: 15_000, memoryBytes: 800_000_000 }
const PICTURE_BYTES_MAX = 1_000_000
const WIDTH = 800
const HEIGHT = 768
const HEIGHT_MAX = 900
const LOAD_MS_MAX = 5_000

/** No such name exists, so that a request which came past the interception would reach nothing. */
const ADDRESS = 'https://kept-page.invalid/'
/** Inline styles and pictures in the page itself are all that it can have. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; sandbox"

/** Returns a PNG; null where none of the passages can be seen, or the picture would be too large. Throws `BrowserFailure`. */
export async function takePicture(request: PictureRequest): Promise<Buffer | null> {
  await using browser = await BrowserProcess.start(request.program, { ...LIMITS, ...request.limits })
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
  const send = (method: string, params: Record<string, unknown> = {}) =>
    browser.send(method, params, sessionId as string)
  await send('Emulation.setScriptExecutionDisabled', { value: true })
  await send('Emulation.setDeviceMetricsOverride', {
    width: WIDTH,
    height: HEIGHT,
    deviceScaleFactor: 1,
    mobile: false,
  })
  await browser.send('Browser.setDownloadBehavior', { behavior: 'deny' })
  await send('Page.enable')
  let isServed = false
  browser.on('Fetch.requestPaused', ({ requestId, request: asked }) => {
    const isPage = !isServed && (asked as { url: string }).url === ADDRESS
    isServed ||= isPage
    const answered = isPage
      ? send('Fetch.fulfillRequest', toResponse(requestId, request))
      : send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    // Its failure is that of the browser, which the other commands meet too.
    answered.catch(() => undefined)
  })
  await send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  const loaded = browser.until('Page.loadEventFired')
  loaded.catch(() => undefined)
  const { frameId } = await send('Page.navigate', { url: ADDRESS })
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, LOAD_MS_MAX).unref())])
  // A world of its own: the page has no way to see or change what runs there.
  const { executionContextId: contextId } = await send('Page.createIsolatedWorld', { frameId })
  const expression = `(${MARK_PASSAGES})(${JSON.stringify({ passages: request.passages, heightMax: HEIGHT_MAX })})`
  const { result } = await send('Runtime.evaluate', { expression, contextId, returnByValue: true })
  const clip = (result as { value?: { y: number; height: number } | null }).value
  if (!clip) return null
  const { data } = await send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    clip: { x: 0, width: WIDTH, scale: 1, ...clip },
  })
  const picture = Buffer.from(data as string, 'base64')
  return picture.byteLength > PICTURE_BYTES_MAX ? null : picture
}

function toResponse(requestId: unknown, { body, contentType }: PictureRequest): Record<string, unknown> {
  return {
    requestId,
    responseCode: 200,
    responseHeaders: [
      { name: 'Content-Type', value: contentType },
      { name: 'Content-Security-Policy', value: POLICY },
      { name: 'X-Content-Type-Options', value: 'nosniff' },
    ],
    body: body.toString('base64'),
  }
}
