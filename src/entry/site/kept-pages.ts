import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SentFile, sendFile, toSentFile } from '../http/sent-file.ts'
import { type Page, policyOf, renderPage } from './layout.ts'

/** Pages that are the same for all visitors until the next release: each is drawn and compressed when it is first asked for. */
export class KeptPages {
  readonly #kept = new Map<string, { file: SentFile; policy: string }>()

  send(request: FastifyRequest, reply: FastifyReply, name: string, make: () => Page): FastifyReply {
    const { file, policy } = this.#kept.get(name) ?? this.#keep(name, make())
    return sendFile(request, reply.header('content-security-policy', policy), file)
  }

  #keep(name: string, page: Page): { file: SentFile; policy: string } {
    const kept = { file: toSentFile('.html', Buffer.from(renderPage(page).markup)), policy: policyOf(page) }
    this.#kept.set(name, kept)
    return kept
  }
}
