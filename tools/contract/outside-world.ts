/** The page of `npm run dev` for what lies outside the service: it makes the register change and shows what arrived. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fetch } from 'undici'
import { z } from 'zod'
import { Mismatch, NotShown } from './shown.ts'

export interface ReceivedWebhook {
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

const Received = z.object({
  receiver_url: z.string(),
  received: z.array(z.object({ headers: z.record(z.string(), z.string()), body: z.string() })),
})

const WAIT_MS = 30_000
const INTERVAL_MS = 150

/** The address at which webhooks arrive, and those that did. */
export async function readReceived(outsideUrl: URL | null): Promise<z.output<typeof Received>> {
  if (!outsideUrl) throw new NotShown('needs a register that can be changed and a receiver to look into: --outside-url')
  const answer = await fetch(new URL('/received.json', outsideUrl)).catch((error: unknown) => {
    throw new NotShown(`needs the outside page, and ${outsideUrl.origin} does not answer`, { cause: error })
  })
  return Received.parse(await answer.json())
}

/** Until one arrived that is the right one. */
export async function waitForWebhook(
  outsideUrl: URL | null,
  isRight: (webhook: ReceivedWebhook) => boolean,
): Promise<ReceivedWebhook> {
  const deadline = Date.now() + WAIT_MS
  while (Date.now() < deadline) {
    const found = (await readReceived(outsideUrl)).received.find(isRight)
    if (found) return found
    await sleep(INTERVAL_MS)
  }
  throw Mismatch.of('a webhook to arrive at the receiver', `none within ${WAIT_MS / 1_000} s`)
}

export async function renameCompany(outsideUrl: URL, number: string): Promise<void> {
  const form = new URLSearchParams({ company_number: number, change: 'rename' })
  const answer = await fetch(outsideUrl, { method: 'POST', body: form, redirect: 'manual' })
  if (answer.status !== 303) throw new NotShown(`needs a company to change: ${await answer.text()}`)
}
