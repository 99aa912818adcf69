import { setTimeout as sleep } from 'node:timers/promises'
import { fetch } from 'undici'
import { z } from 'zod'
import { Mismatch, NotShown } from './shown.ts'

const Mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }))

const WAIT_MS = 20_000
const INTERVAL_MS = 100

/** The newest link to this path in the e-mails to this address; waits for it. */
export async function waitForLink(mailboxUrl: URL | null, wanted: { to: string; path: string }): Promise<URL> {
  const page = assertMailbox(mailboxUrl)
  page.searchParams.set('to', wanted.to)
  const deadline = Date.now() + WAIT_MS
  while (Date.now() < deadline) {
    const texts = (await readMails(page)).map(({ text }) => text)
    const links = texts.flatMap((text) => text.match(/https?:\/\/\S+/g) ?? []).map((link) => new URL(link))
    const link = links.findLast(({ pathname, searchParams }) => pathname === wanted.path && searchParams.has('token'))
    if (link) return link
    await sleep(INTERVAL_MS)
  }
  throw Mismatch.of(`an e-mail to ${wanted.to} with a link to ${wanted.path}`, `none within ${WAIT_MS / 1_000} s`)
}

/** Where the e-mails can be read. */
export function assertMailbox(mailboxUrl: URL | null): URL {
  if (mailboxUrl) return new URL('/mails.json', mailboxUrl)
  throw new NotShown('needs to read the e-mails that are sent: --mailbox-url')
}

async function readMails(page: URL): Promise<z.output<typeof Mails>> {
  const answer = await fetch(page).catch((error: unknown) => {
    throw new NotShown(`needs to read the e-mails that are sent, and ${page.origin} does not answer`, { cause: error })
  })
  return Mails.parse(await answer.json())
}
