import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const LENGTH_MAX = 200

const Supplier = z.object({ supplier: z.string().max(LENGTH_MAX).describe('Their domain, e-mail address or name.') })
const Website = z.object({ website: z.string().max(LENGTH_MAX).describe('Its domain or address.') })

/** Questions that a person picks from a menu. Their input is data: it is put in quotation marks, on one line. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'check_this_supplier',
    {
      title: 'Check this supplier',
      description: 'Who they are, whether they are in good standing, and what changed lately.',
      argsSchema: Supplier,
    },
    ({ supplier }) => ask(toSupplierCheck(quoted(supplier))),
  )
  server.registerPrompt(
    'who_owns_this_website',
    {
      title: 'Who owns this website?',
      description: 'The UK company behind a web site, with the proof.',
      argsSchema: Website,
    },
    ({ website }) => ask(toOwnerQuestion(quoted(website))),
  )
}

const toSupplierCheck = (supplier: string) => `Check the supplier ${supplier} with Nameplate.

1. If that is a domain, a web address or an e-mail address, call find_company_behind_domain. If it is a name, call search_companies, and ask me which company I mean unless one clearly fits.
2. Call get_company with its number: is it active, are accounts or the confirmation statement overdue, is there insolvency, are there charges, who are the directors and owners?
3. Call list_company_signals: what changed in the last year?
4. Tell me in a few lines who they are and how we know (quote the words on their site), what speaks for caution, and what could not be found out. Say so plainly when the identity is not proven.
5. Ask whether I want to watch the company; only then call watch_company.`

const toOwnerQuestion = (website: string) => `Which UK company is behind the web site ${website}?

Call find_company_behind_domain. If the result is pending, call check_job. When a company is matched, give its name, number and status, and quote the words on the site that prove it with their page. When it needs review, list the candidates and say that it is not decided. Otherwise say what was found instead. Do not guess.`

const quoted = (typed: string) => `"${typed.replaceAll(/[\s"]+/g, ' ').trim()}"`

function ask(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
