/**
 * The role of the company in braces, in sentences of stairwell.co.uk. A wrong role can make a wrong match, so the sentences are
 * written as web sites write them.
 */
import { describe, expect, test } from 'vitest'
import type { Role } from './cue.ts'
import { readRole } from './role.ts'

function roleOf(sentence: string) {
  const start = sentence.indexOf('{')
  const end = sentence.indexOf('}') - 1
  return readRole({
    text: sentence.replace('{', '').replace('}', ''),
    name: { start, end },
    isOwnName: (text) => /^(?:the )?(?:www\.)?stairwell(?:\.co\.uk)?$/i.test(text.trim()),
    isOwnWord: (text) => /^stairwell$/i.test(text.trim()),
  })
}

const SENTENCES: Record<Exclude<Role, 'named'>, Record<string, string[]>> = {
  operator: {
    'it runs the site': [
      'This website is operated by {Harrowgill Joinery Ltd} (company number 04999990)',
      'This site is owned and operated by {Harrowgill Joinery Ltd}',
      'The website is run by {Harrowgill Joinery Ltd}, Leeds',
      'Our website is owned and managed by {Harrowgill Joinery Ltd}',
      'stairwell.co.uk is a site operated by {Harrowgill Joinery Ltd} (“We”)',
      'Stairwell is owned and operated by {Harrowgill Joinery Ltd}',
      'Stairwell® is run by {Harrowgill Joinery Ltd}',
      'Owned and operated by {Harrowgill Joinery Ltd}',
      '{Harrowgill Joinery Ltd} owns and operates this website',
      '{Harrowgill Joinery Ltd} is the owner of this site',
      '{Harrowgill Joinery Ltd}, the company behind Stairwell',
      '{Harrowgill Joinery Ltd} operates Stairwell, Doorwell and Floorwell',
    ],
    'it trades under the site’s name': [
      'Stairwell is a trading name of {Harrowgill Joinery Ltd}',
      'Stairwell is the trading name of {Harrowgill Joinery Ltd} (No. 04999990)',
      'Stairwell is a trading style of {Harrowgill Joinery Ltd}',
      'Stairwell is a brand of {Harrowgill Joinery Ltd}',
      'Stairwell is a division of {Harrowgill Joinery Ltd}',
      'Stairwell and Doorwell are trading names of {Harrowgill Joinery Ltd}',
      '{Harrowgill Joinery Ltd} trading as Stairwell',
      '{Harrowgill Joinery Ltd} t/a Stairwell',
      '{Harrowgill Joinery Ltd} (04999990) trading as Stairwell',
      'Stairwell yn enw masnachu i {Harrowgill Joinery Ltd}',
    ],
    'it is who speaks': [
      'We are {Harrowgill Joinery Ltd}, a company registered in England and Wales',
      '{Harrowgill Joinery Ltd} (“we”, “us”, “our”) respects your privacy',
      '“We” means {Harrowgill Joinery Ltd}',
      'In this policy “we”, “us” and “our” refer to {Harrowgill Joinery Ltd}',
      'References to “us” are to {Harrowgill Joinery Ltd}',
      'When we say “we” or “us” in this notice, we mean {Harrowgill Joinery Ltd}',
    ],
    'it answers for data and contracts': [
      'The data controller is {Harrowgill Joinery Ltd}',
      'The controller of your personal data is {Harrowgill Joinery Ltd}',
      '{Harrowgill Joinery Ltd} is the data controller',
      '{Harrowgill Joinery Ltd} is the controller and responsible for your personal data',
      'Data controller: {Harrowgill Joinery Ltd}',
      'Your contract is with {Harrowgill Joinery Ltd}',
      'These terms are an agreement between you and {Harrowgill Joinery Ltd}',
    ],
    'a label says so': [
      'Legal name: {Harrowgill Joinery Ltd}',
      'Full legal name: {Harrowgill Joinery Ltd}',
      'Company name: {Harrowgill Joinery Ltd}',
      'Proprietor: {Harrowgill Joinery Ltd}',
      'Site owner: {Harrowgill Joinery Ltd}',
    ],
  },
  stated: {
    'a name by itself': [
      '{Harrowgill Joinery Ltd}',
      '{Harrowgill Joinery Ltd}, registered in England and Wales, company number 04999990',
      '{Harrowgill Joinery Ltd} is a company registered in England and Wales',
      'Registered in England and Wales as {Harrowgill Joinery Ltd}',
      'Company No. 04999990 {Harrowgill Joinery Ltd}',
    ],
    'a line of copyright': [
      '© 2024 {Harrowgill Joinery Ltd}',
      '© {Harrowgill Joinery Ltd}',
      'Copyright © 2019-2024 {Harrowgill Joinery Ltd}. All rights reserved',
      'Copyright by {Harrowgill Joinery Ltd}',
      'Hawlfraint 2024 {Harrowgill Joinery Ltd}',
    ],
    'a mark, which says nothing of the site': ['Stairwell® is a registered trade mark of {Harrowgill Joinery Ltd}'],
  },
  related: {
    'a parent or its group': [
      'Part of {Bramley Group plc}',
      'Stairwell is part of {Bramley Group plc}',
      'A member of {Bramley Group plc}',
      'a wholly owned subsidiary of {Bramley Group plc}',
      'wholly owned by {Bramley Group plc}',
      'Our parent company is {Bramley Group plc}',
      'our ultimate holding company, {Bramley Group plc}',
      '{Bramley Group plc} is our ultimate parent company',
      '{Bramley Group plc} and its subsidiaries',
      'our sister company {Bramley Group plc}',
    ],
    'an agent, dealer or principal': [
      'an appointed representative of {Bramley Group plc}',
      'Authorised dealer for {Bramley Group plc}',
      'Managing agents: {Bramley Group plc}',
      'acting on behalf of {Bramley Group plc}',
      'in association with {Bramley Group plc}',
      'under licence from {Bramley Group plc}',
      'a franchisee of {Bramley Group plc}',
      'Our insurers are {Bramley Group plc}',
      '{Bramley Group plc} licenses the Stairwell name to franchisees',
    ],
  },
  third_party: {
    'who made or keeps the site': [
      'Website by {Pixel Foundry Ltd}',
      'Site designed and built by {Pixel Foundry Ltd}',
      'Designed by {Pixel Foundry Ltd}',
      'Web design: {Pixel Foundry Ltd}',
      'Website design & hosting by {Pixel Foundry Ltd}',
      'Powered by {Pixel Foundry Ltd}',
      'Hosted by {Pixel Foundry Ltd}',
      'This website is hosted by {Pixel Foundry Ltd}',
      'Photography by {Pixel Foundry Ltd}',
      'Theme © 2024 {Pixel Foundry Ltd}',
      'Images copyright {Pixel Foundry Ltd}',
    ],
    'who does something for it': [
      'Payments are processed by {Merchant Pay UK Limited}',
      'Finance is provided by {Lender Finance Limited}',
      'Card payments on our website are handled by {Merchant Pay UK Limited}',
      'Delivery is through {Caledon Couriers Ltd}',
      'We share your data with {Cloudstack Ltd}, who store it for us',
      'Newsletters are sent with {Cloudstack Ltd}',
      'Insurance-backed guarantees are arranged by {Smith Jones Brokers Ltd}',
      'Our accounts are audited by {Hollis Webb LLP}',
    ],
    'who is talked about': [
      'We recently fitted new doors for {Bramley Group plc} in Leeds',
      'Before joining us Mark worked at {Bramley Group plc}',
      '{Bramley Group plc} announced record profits',
      '{Bramley Group plc} (company number 01234568) has chosen us',
      'For nearly ten years our doors have gone into the shops {Bramley Group plc}',
    ],
  },
  denied: {
    'it is another’s': [
      'Stairwell is not connected with {Bramley Group plc}',
      'This site is not affiliated with or endorsed by {Bramley Group plc}',
      'We have no connection with {Bramley Group plc}',
      'Not to be confused with {Bramley Group plc}',
      'We are independent of {Bramley Group plc}',
      '{Bramley Group plc} is not connected with this site',
    ],
    'it was once': [
      'This website was previously owned by {Bramley Group plc}',
      'Until 2021 the shop was operated by {Bramley Group plc}',
      'formerly part of {Bramley Group plc}',
      'In 2020 we bought the business from {Bramley Group plc}',
      '{Bramley Group plc} ceased trading in 2021',
      '{Bramley Group plc} went into liquidation',
      '{Bramley Group plc} was dissolved in 2019',
    ],
  },
}

for (const [role, groups] of Object.entries(SENTENCES)) {
  describe(`${role}:`, () => {
    for (const [group, sentences] of Object.entries(groups)) {
      describe(`${group}:`, () => {
        test.each(sentences)('%s', (sentence) => {
          expect(roleOf(sentence)).toMatchObject({ role })
        })
      })
    }
  })
}

test('the reading quotes the words that said so', () => {
  const read = (sentence: string) => [roleOf(sentence).cue, roleOf(sentence).words]
  expect(read('This website is operated by {Harrowgill Joinery Ltd}')).toEqual([
    'site_run_by',
    'This website is operated by',
  ])
  expect(read('We have no connection with {Bramley Group plc}')).toEqual(['no_connection', 'no connection with'])
  expect(read('{Harrowgill Joinery Ltd}')).toEqual(['alone', ''])
})

test.each([
  'is owned and ',
  'this website is owned and ',
  'is not ',
  'is a trading name of ',
  '"',
  '© 2024 ',
  '. ',
  ', ',
])('4,000 characters of “%s” on either side take less than 200 ms', (unit) => {
  const noise = unit.repeat(Math.ceil(4_000 / unit.length))
  const before = process.threadCpuUsage()
  roleOf(`${noise}{Harrowgill Joinery Ltd}${noise}`)
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(200)
})
