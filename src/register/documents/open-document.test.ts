import { expect, test } from 'vitest'
import { findDocumentId } from './open-document.ts'

const HOST = new URL('https://document-api.company-information.service.gov.uk')
const ID = '-VZAbtNU3pwHHac-8_g_eEG6m_aVxu4OgHf-w813038'
const findIn = (link: unknown, host = HOST) => findDocumentId({ links: { document_metadata: link } }, host)

test.each([
  `https://document-api.company-information.service.gov.uk/document/${ID}`,
  `https://frontend-doc-api.company-information.service.gov.uk/document/${ID}`,
  `https://frontend-doc-api.companieshouse.gov.uk/document/${ID}`,
  `/document/${ID}`,
])('the id is read from %s', (link) => {
  expect(findIn(link)).toBe(ID)
})

test('a link of the configured host is the register’s, whatever that host is', () => {
  expect(findIn(`http://127.0.0.1:4003/document/${ID}`, new URL('http://127.0.0.1:4003'))).toBe(ID)
  expect(findIn(`http://127.0.0.1:4003/document/${ID}`)).toBeNull()
})

test.each([
  null,
  7,
  '',
  'not an address',
  `https://evil.example/document/${ID}`,
  `https://document-api.company-information.service.gov.uk.evil.example/document/${ID}`,
  `https://evil.example@document-api.company-information.service.gov.uk/document/${ID}`,
  `http://document-api.company-information.service.gov.uk/document/${ID}`,
  `https://document-api.company-information.service.gov.uk:8443/document/${ID}`,
  `https://document-api.company-information.service.gov.uk/document/${ID}/content`,
  `https://document-api.company-information.service.gov.uk/document/../company/01234567`,
  `https://document-api.company-information.service.gov.uk/document/a%2Fb`,
  `https://document-api.company-information.service.gov.uk/document/${ID}?as=pdf`,
  `//evil.example/document/${ID}`,
  `/document/${'a'.repeat(129)}`,
  '/document/',
])('no id is read from %s', (link) => {
  expect(findIn(link)).toBeNull()
})
