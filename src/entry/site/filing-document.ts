import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { parseCompanyNumber } from '../../register/index.ts'
import { openDocumentFor } from '../../resolution/index.ts'
import { spendRateToken } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { sendDocument } from '../http/sent-document.ts'
import { sendMissingPage } from './missing.ts'
import { getSiteSession } from './session.ts'

/** The viewer of a browser needs the plugin that a sandbox takes away. */
const POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The document of a filing for a person who is signed in. What we cannot send is on the register's own site. */
export function filingDocumentPageRoutes(app: App, server: Server): void {
  server.get('/filings/:company_number/:transaction_id', async (request, reply) => {
    const { account } = await getSiteSession(app, request)
    const requester = { accountId: account.id, plan: account.plan, mode: 'live' } as const
    await spendRateToken(app, request, reply, requester)
    const { company_number: typed, transaction_id: transactionId } = request.params as Record<string, string>
    const companyNumber = parseCompanyNumber(typed ?? '')
    if (companyNumber === null || transactionId === undefined) return sendMissingPage(reply)
    try {
      const document = await openDocumentFor(app, requester, { companyNumber, transactionId })
      if (document.kind === 'elsewhere') return await reply.redirect(document.url, 302)
      return await sendDocument(reply, document, { disposition: 'inline', policy: POLICY })
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return sendMissingPage(reply, error.message)
      throw error
    }
  })
}
