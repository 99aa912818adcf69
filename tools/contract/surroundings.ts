/** Pages of `npm run dev` beside the service: the e-mails it sends, the register that can be changed, webhooks that arrived. */
import { fetch } from 'undici'
import { z } from 'zod'
import { NotShown, waitFor } from './shown.ts'

const Mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }))

const Received = z.object({
  receiver_url: z.string(),
  /** Names of headers in lower case. */
  received: z.array(z.object({ headers: z.record(z.string(), z.string()), body: z.string() })),
})

export type ReceivedWebhook = z.output<typeof Received>['received'][number]

async function readPage<Page extends z.ZodType>(url: URL, needed: string, page: Page): Promise<z.output<Page>> {
  const answer = await fetch(url).catch((error: unknown) => {
    throw new NotShown(`needs ${needed}, and ${url.origin} does not answer`, { cause: error })
  })
  return page.parse(await answer.json())
}

/** Waits for an e-mail to this address with a link to this path, and returns the newest one. */
export async function waitForLink(mailboxUrl: URL | null, wanted: { to: string; path: string }): Promise<URL> {
  if (!mailboxUrl) throw new NotShown('needs to read the e-mails that are sent: --mailbox-url')
  const page = new URL(`/mails.json?to=${encodeURIComponent(wanted.to)}`, mailboxUrl)
  return waitFor(`an e-mail to ${wanted.to} with a link to ${wanted.path}`, async () => {
    const mails = await readPage(page, 'to read the e-mails that are sent', Mails)
    const links = mails.flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []).map((link) => new URL(link))
    return links.findLast(({ pathname, searchParams }) => pathname === wanted.path && searchParams.has('token'))
  })
}

/** Returns the address of the receiver and the webhooks that arrived there. */
export async function readReceived(outsideUrl: URL | null): Promise<z.output<typeof Received>> {
  if (!outsideUrl) throw new NotShown('needs a register that can be changed and a receiver to look into: --outside-url')
  return readPage(new URL('/received.json', outsideUrl), 'the outside page', Received)
}

export async function waitForWebhook(
  outsideUrl: URL,
  isWanted: (webhook: ReceivedWebhook) => boolean,
): Promise<ReceivedWebhook> {
  const find = async () => (await readReceived(outsideUrl)).received.find(isWanted)
  return waitFor('a webhook to arrive at the receiver', find)
}

export async function renameCompany(outsideUrl: URL, number: string): Promise<void> {
  const form = new URLSearchParams({ company_number: number, change: 'rename' })
  const answer = await fetch(outsideUrl, { method: 'POST', body: form, redirect: 'manual' })
  if (answer.status !== 303) throw new NotShown(`needs a company to change: ${await answer.text()}`)
}
