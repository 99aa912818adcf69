/** The `responses` of a site.json: answers that stand in for a file, in all forms of its path. */
import { encodeText } from './charset.ts'
import { Content } from './content.ts'
import { pageName } from './pages.ts'
import type { SiteSettings } from './site-settings.ts'

export interface ScriptedResponse {
  status: number | null
  headers: AnswerHeaders
  delayMs: number
  content: Content | null
}

/** Names in lower case. */
export type AnswerHeaders = Record<string, string | string[]>

export class ScriptedResponses {
  /** Under the path as written, which begins with a slash, and under the page's name, which does not. */
  readonly #responses = new Map<string, ScriptedResponse>()

  constructor(settings: SiteSettings) {
    for (const [path, { status = null, headers, delay_ms, body }] of Object.entries(settings.responses)) {
      const ownHeaders = lowerNames(headers)
      const response = {
        status,
        headers: ownHeaders,
        delayMs: delay_ms,
        content: body === undefined ? null : toContent(body, charsetOf(ownHeaders) ?? settings.encoding),
      }
      this.#responses.set(path, response)
      if (!this.#responses.has(pageName(path))) this.#responses.set(pageName(path), response)
    }
  }

  find(path: string): ScriptedResponse | null {
    return this.#responses.get(path) ?? this.#responses.get(pageName(path)) ?? null
  }
}

export function lowerNames(headers: AnswerHeaders): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function toContent(body: string | Uint8Array, charset: string): Content {
  return new Content(typeof body === 'string' ? encodeText(body, charset) : Buffer.from(body))
}

function charsetOf(headers: AnswerHeaders): string | undefined {
  return /charset="?([\w-]+)/i.exec(String(headers['content-type'] ?? ''))?.[1]
}
