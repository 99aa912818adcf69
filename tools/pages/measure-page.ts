/** Measures the first load of a page in a real browser with a cold cache. */
import type { Browser, BrowserContextOptions } from 'playwright-core'

export interface PageMeasure {
  /** Bytes over the wire, compressed as sent, without fonts. */
  bytes: number
  /** When the largest element was drawn. */
  lcpMs: number
  /** The sum of unexpected layout shifts. */
  cls: number
  /** Hosts other than the site's own that the page asked for something. */
  otherHosts: string[]
}

interface Load {
  url: string
  /** Slows the CPU down so many times. */
  cpuSlowdown: number
  context?: BrowserContextOptions
}

const SETTLED_MS = 500
const LOOKS_MAX = 20

const OBSERVER = `
  window.measured = { lcp: 0, cls: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.measured.lcp = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.measured.cls += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`

export async function measurePage(
  browser: Browser,
  { url, cpuSlowdown, context: options }: Load,
): Promise<PageMeasure> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    await page.addInitScript(OBSERVER)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    const fonts = new Set<string>()
    const otherHosts = new Set<string>()
    let bytes = 0
    session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
      if (type === 'Font') fonts.add(requestId)
      const { host, protocol } = new URL(request.url)
      if (protocol.startsWith('http') && host !== new URL(url).host) otherHosts.add(host)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!fonts.has(requestId)) bytes += encodedDataLength
    })
    const response = await page.goto(url, { waitUntil: 'networkidle' })
    if (response?.status() !== 200 || new URL(page.url()).pathname !== new URL(url).pathname) {
      throw new Error(`${url} answered ${response?.status()} and led to ${page.url()}`)
    }
    // A screen draws itself after the network is quiet.
    let measured = { lcp: 0, cls: 0 }
    for (let looks = 0; looks < LOOKS_MAX && measured.lcp === 0; looks += 1) {
      await page.waitForTimeout(SETTLED_MS)
      measured = (await page.evaluate('window.measured')) as typeof measured
    }
    if (measured.lcp === 0) throw new Error(`${url} drew nothing`)
    // What is drawn late may still move what is there.
    await page.waitForTimeout(SETTLED_MS)
    const { lcp, cls } = (await page.evaluate('window.measured')) as typeof measured
    return { bytes, lcpMs: Math.round(lcp), cls: Math.round(cls * 1_000) / 1_000, otherHosts: [...otherHosts] }
  } finally {
    await context.close()
  }
}
