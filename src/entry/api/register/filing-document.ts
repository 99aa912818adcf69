import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import type { DocumentResult } from '../../../register/index.ts'
import { openDocumentFor } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { BINARY_FILE, describeRoute, withFile } from '../../http/route.ts'
import { sendDocument } from '../../http/sent-document.ts'
import { readCompanyNumber } from './company-profile.ts'

export function filingDocumentRoutes(app: App, server: Server): void {
  server.get('/v1/companies/:company_number/filings/:transaction_id/document', DOCUMENT, async (request, reply) => {
    const companyNumber = readCompanyNumber(request.params.company_number)
    const { transaction_id: transactionId } = request.params
    const document = await openDocumentFor(app, callerOf(request), { companyNumber, transactionId })
    if (document.kind === 'elsewhere') throw describeElsewhere(document)
    return sendDocument(reply, document, { disposition: 'attachment', policy: "default-src 'none'; sandbox" })
  })
}

type Elsewhere = Exclude<DocumentResult, { kind: 'opened' }>

function describeElsewhere({ why, url, retryAfterSeconds }: Elsewhere): DomainError {
  const there = `Open it on the register’s own site: ${url}`
  if (why === 'no_pdf') {
    return new DomainError('not_found', `The register has no PDF of this document of at most 50 MB. ${there}`)
  }
  const reason =
    why === 'not_configured'
      ? 'This service has no access to the register’s documents.'
      : 'The register does not send this document at this moment. Try again later.'
  return new DomainError('unavailable', `${reason} ${there}`, { retryAfterSeconds })
}

const described = describeRoute({
  operationId: 'getFilingDocument',
  summary: 'The document of a filing, as PDF',
  description:
    'Fetched from the register when you ask for it, and sent on as it comes: we store nothing of it. `transaction_id` is that ' +
    'of a filing in the company’s profile; a filing whose `document_url` is null has no document yet. The register limits how ' +
    'many documents all customers together may read: about 60 in five minutes are yours for certain. If the connection ends ' +
    'before the whole document has come, ask again. A browser without a credential is sent to the same document on the site. ' +
    'The test companies have no filings.',
  tag: 'Register',
  accepts: ['session', 'key'],
  sitePage: '/filings/:company_number/:transaction_id',
  params: z.object({
    company_number: z.string().max(20).describe('As people write it: `SC 12345` will do.'),
    transaction_id: z.string().max(64),
  }),
  answers: { 302: { description: 'A browser without a credential: to the document on the site.', schema: z.null() } },
  errors: ['not_found', 'company_not_found', 'unavailable'],
})

const DOCUMENT = withFile(described, { 'application/pdf': BINARY_FILE }, 'The document, of at most 50 MB.')
