import { expect, test } from 'vitest'
import { findAddressProblem, hideAddress, maskAddress } from './address.ts'

const SLACK = 'https://hooks.slack.com/services/T0AAA/B0BBB/sEcReTsEcReTsEcReT123456'
const INVOKE =
  '/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=hIdDeN-hIdDeN_98765'
const DIRECT = `https://0f3.01.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/9a8b7c6d5e${INVOKE}`
const LOGIC = `https://prod-01.uksouth.logic.azure.com:443/workflows/9a8b7c6d5e${INVOKE}`

test.each([
  ['slack', SLACK],
  ['teams', DIRECT],
  ['teams', LOGIC],
  ['webhook', 'https://hooks.example.co.uk/in'],
  // A program of the customer may be a workflow, too.
  ['webhook', LOGIC],
] as const)('%s takes %s', (kind, address) => {
  expect(findAddressProblem(kind, address)).toBeNull()
})

test.each([
  ['slack', 'no address', 'incoming webhook'],
  ['slack', SLACK.replace('https:', 'http:'), 'incoming webhook'],
  ['slack', SLACK.replace('.com/', '.com:8443/'), 'incoming webhook'],
  ['slack', SLACK.replace('://', '://user:word@'), 'incoming webhook'],
  ['slack', SLACK.replace('hooks.slack.com', 'hooks.slack.com.evil.co.uk'), 'incoming webhook'],
  ['slack', SLACK.replace('hooks.slack.com', 'evil.co.uk/hooks.slack.com'), 'incoming webhook'],
  ['slack', SLACK.replace('hooks.slack.com', 'hooks.slack.com.'), 'incoming webhook'],
  ['slack', 'https://slack.com/api/chat.postMessage', 'incoming webhook'],
  ['slack', 'https://hooks.slack.com/triggers/T0/1/x', 'incoming webhook'],
  ['slack', 'https://hooks.slack.com/services/../triggers/T0/1/x', 'incoming webhook'],
  ['slack', DIRECT, 'incoming webhook'],
  // The same channel in another writing would get every signal twice.
  ['slack', `${SLACK}#x`, 'incoming webhook'],
  ['slack', `${SLACK}#😀aaaaa`, 'incoming webhook'],
  ['slack', `${SLACK}?`, 'incoming webhook'],
  ['slack', `${SLACK}?a=b`, 'incoming webhook'],
  ['slack', `${SLACK}/`, 'incoming webhook'],
  ['teams', `${LOGIC}#x`, 'a Teams workflow'],
  ['teams', SLACK, 'a Teams workflow'],
  ['teams', LOGIC.replace('https:', 'http:'), 'a Teams workflow'],
  ['teams', LOGIC.replace('logic.azure.com', 'logic.azure.com.evil.co.uk'), 'a Teams workflow'],
  ['teams', LOGIC.replace('prod-01.uksouth.logic.azure.com', 'logic.azure.com'), 'a Teams workflow'],
  ['teams', LOGIC.replace('/workflows/', '/other/'), 'a Teams workflow'],
  ['teams', 'https://make.powerautomate.com/environments/x/flows/y', 'a Teams workflow'],
  ['teams', LOGIC.replace(/&sig=.*/, ''), 'must have a `sig`'],
  ['teams', LOGIC.replace(/&sig=.*/, '&sig='), 'must have a `sig`'],
  ['teams', 'https://contoso.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d', 'Make a workflow'],
  ['teams', 'https://outlook.office.com/webhook/a@b/IncomingWebhook/c/d', 'Make a workflow'],
  ['webhook', SLACK, '"kind": "slack"'],
  ['webhook', `${SLACK}/`, '"kind": "slack"'],
  ['webhook', SLACK.replace('slack.com', 'slack.com.'), '"kind": "slack"'],
] as const)('%s refuses %s', (kind, address, reason) => {
  expect(findAddressProblem(kind, address)).toContain(reason)
})

test.each([
  [SLACK, 'https://hooks.slack.com/...123456'],
  [DIRECT, 'https://0f3.01.environment.api.powerplatform.com/..._98765'],
  [`${LOGIC}😀`, 'https://prod-01.uksouth.logic.azure.com/...%2598%2580'],
])('%s is shown by its host and its end', (address, shown) => {
  expect(maskAddress(address)).toBe(shown)
  expect(new URL(shown).href).toBe(shown)
})

test.each([
  ['ok', 'ok'],
  ['no_service', 'no_service'],
  [`no such path: ${new URL(SLACK).pathname}`, 'no such path: [hidden]'],
  [`the token sEcReTsEcReTsEcReT123456 is wrong`, 'the token [hidden] is wrong'],
  [`POST ${SLACK} failed`, 'POST [hidden] failed'],
  [`POST ${SLACK.toUpperCase()} failed`, 'POST [hidden] failed'],
  [`the response is cut: ${SLACK.slice(0, -3)}`, 'the response is cut: [hidden]'],
  [`the response is cut: ${SLACK.slice(-24, -3)}`, 'the response is cut: [hidden]'],
])('of the response %s the owner sees %s', (response, shown) => {
  expect(hideAddress(response, SLACK)).toBe(shown)
})

test('a response of Teams has neither the signature nor the workflow in it, also decoded, and is short', () => {
  const address = LOGIC.replace('hIdDeN-hIdDeN_98765', 'hIdDeN%2BhIdDeN%2F98765')
  const { href, pathname, search } = new URL(address)
  const spoken = ['hIdDeN+hIdDeN/98765', 'hIdDeN%2BhIdDeN%2F98765', '9a8b7c6d5e', href, address, pathname, search]
  const shown = hideAddress(`${spoken.join(' and ')} ${'x'.repeat(5_000)}`, address)
  expect(shown).not.toMatch(/hIdDeN|9a8b7c6d5e/)
  expect(shown.length).toBeLessThanOrEqual(1_000)
})
