/** Groups of companies, case by case: who is above a company, why it ends there, what it owns, and its sisters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import {
  describeKinship,
  findCompanies,
  importPscs,
  listParents,
  openPscSnapshot,
  silentProgress,
} from '../src/register/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const MAJORITY = ['ownership-of-shares-75-to-100-percent', 'voting-rights-75-to-100-percent']
const HALF = ['ownership-of-shares-50-to-75-percent']
const HALF_OF_VOTES = ['voting-rights-50-to-75-percent']
const MINORITY = ['ownership-of-shares-25-to-50-percent']
const BOARD = ['right-to-appoint-and-remove-directors']
const INFLUENCE = ['significant-influence-or-control']
const TRUST = ['ownership-of-shares-75-to-100-percent-as-trust']
const FIRM = ['ownership-of-shares-75-to-100-percent-as-firm']

const QUARTER = ['ownership-of-shares-more-than-25-percent-registered-overseas-entity']
const QUARTER_IN_TRUST = ['ownership-of-shares-more-than-25-percent-as-trust-registered-overseas-entity']

const REGISTRY = 'place_registered'
const UK = { country_registered: 'England', legal_authority: 'Companies Act 2006', [REGISTRY]: 'Companies House' }

interface Company {
  number: string
  name: string
  status?: string
  previousNames?: Array<{ name: string; ceased_on: string }>
}

interface Owner {
  of: string
  name?: string
  number?: string
  natures?: string[]
  kind?: string
  identification?: object
  ceased_on?: string
  [member: string]: unknown
}

const company = (number: string, name: string, more: Partial<Company> = {}): Company => ({ number, name, ...more })
/** A company that owns another, as records name it. */
const owns = (of: string, name: string, number: string | undefined, more: Partial<Owner> = {}): Owner => ({
  of,
  name,
  natures: MAJORITY,
  kind: 'corporate-entity-person-with-significant-control',
  identification: { ...UK, ...(number === undefined ? {} : { registration_number: number }) },
  ...more,
})
/** As records write the number of an overseas entity: with the country it comes from. */
const ABROAD = { identification: { country_registered: 'Jersey', registration_number: 'OE001235' } }
const beneficiary = (of: string, name: string, number: string | undefined, natures = QUARTER): Owner =>
  owns(of, name, number, { natures, kind: 'corporate-entity-beneficial-owner' })
const person = (of: string, natures = MAJORITY): Owner => ({
  of,
  name: 'Ann Person',
  natures,
  kind: 'individual-person-with-significant-control',
})

const states = (of: string, statement: string, more: Partial<Owner> = {}): Owner => ({
  of,
  kind: 'persons-with-significant-control-statement',
  statement,
  ...more,
})
const exempt = (of: string, item: object): Owner => ({
  of,
  kind: 'exemptions',
  exemptions: {
    psc_exempt_as_trading_on_uk_regulated_market: {
      exemption_type: 'psc-exempt-as-trading-on-uk-regulated-market',
      items: [item],
    },
  },
})

interface Case {
  name: string
  companies: Company[]
  owners: Owner[]
  /** The company asked for: the first, if not said. */
  ask?: string
  ancestors: Array<string | null>
  top: string
  /** Part of the statement; without it there is none. */
  says?: string
  children?: string[]
  siblings?: string[]
}

/** Every case has numbers of its own. */
const CASES: Case[] = [
  {
    name: 'nothing on record',
    companies: [company('10000001', 'ALONE LTD')],
    owners: [],
    ancestors: [],
    top: 'no_owner_recorded',
  },
  {
    name: 'a person with the majority',
    companies: [company('10000101', 'PERSONAL LTD')],
    owners: [person('10000101')],
    ancestors: [],
    top: 'people',
  },
  {
    name: 'two people with half each',
    companies: [company('10000201', 'HALVES LTD')],
    owners: [person('10000201', MINORITY), { ...person('10000201', MINORITY), name: 'Ben Person' }],
    ancestors: [],
    top: 'no_majority',
  },
  {
    name: 'one parent',
    companies: [company('10000301', 'CHILD LTD'), company('10000302', 'PARENT LTD')],
    owners: [owns('10000301', 'PARENT LIMITED', '10000302')],
    ancestors: ['10000302'],
    top: 'no_owner_recorded',
  },
  {
    name: 'the parent sees its child',
    companies: [company('10000402', 'PARENT TWO LTD'), company('10000401', 'CHILD TWO LTD')],
    owners: [owns('10000401', 'PARENT TWO LIMITED', '10000402')],
    ancestors: [],
    top: 'no_owner_recorded',
    children: ['10000401'],
  },
  {
    name: 'a chain of three and a person at the top',
    companies: [company('10000501', 'A LTD'), company('10000502', 'B LTD'), company('10000503', 'C LTD')],
    owners: [owns('10000501', 'B LTD', '10000502'), owns('10000502', 'C LTD', '10000503'), person('10000503')],
    ancestors: ['10000502', '10000503'],
    top: 'people',
  },
  {
    name: 'sisters of one parent',
    companies: [
      company('10000601', 'FIRST SISTER LTD'),
      company('10000602', 'MOTHER LTD'),
      company('10000603', 'SECOND SISTER LTD'),
    ],
    owners: [owns('10000601', 'MOTHER LTD', '10000602'), owns('10000603', 'MOTHER LTD', '10000602')],
    ancestors: ['10000602'],
    top: 'no_owner_recorded',
    siblings: ['10000603'],
  },
  {
    name: 'a minority holder is no parent',
    companies: [company('10000641', 'HELD LTD'), company('10000702', 'HOLDER LTD')],
    owners: [owns('10000641', 'HOLDER LTD', '10000702', { natures: MINORITY })],
    ancestors: [],
    top: 'no_majority',
  },
  {
    name: 'a minority stake is among what the holder has',
    companies: [company('10000802', 'STAKE HOLDER LTD'), company('10000801', 'STAKE LTD')],
    owners: [owns('10000801', 'STAKE HOLDER LTD', '10000802', { natures: MINORITY })],
    ancestors: [],
    top: 'no_owner_recorded',
    children: ['10000801'],
  },
  {
    name: 'a minority stake makes no sister',
    companies: [
      company('10000901', 'FULL CHILD LTD'),
      company('10000902', 'TOP LTD'),
      company('10000903', 'PART CHILD LTD'),
    ],
    owners: [owns('10000901', 'TOP LTD', '10000902'), owns('10000903', 'TOP LTD', '10000902', { natures: MINORITY })],
    ancestors: ['10000902'],
    top: 'no_owner_recorded',
    siblings: [],
  },
  {
    name: 'more than half is enough',
    companies: [company('10001001', 'HALF CHILD LTD'), company('10001002', 'HALF PARENT LTD')],
    owners: [owns('10001001', 'HALF PARENT LTD', '10001002', { natures: HALF })],
    ancestors: ['10001002'],
    top: 'no_owner_recorded',
  },
  {
    name: 'the right to appoint the board is enough',
    companies: [company('10001101', 'BOARD CHILD LTD'), company('10001102', 'BOARD PARENT LTD')],
    owners: [owns('10001101', 'BOARD PARENT LTD', '10001102', { natures: BOARD })],
    ancestors: ['10001102'],
    top: 'no_owner_recorded',
  },
  {
    name: 'influence alone is not',
    companies: [company('10001201', 'SWAYED LTD'), company('10001202', 'SWAYING LTD')],
    owners: [owns('10001201', 'SWAYING LTD', '10001202', { natures: INFLUENCE })],
    ancestors: [],
    top: 'no_majority',
  },
  {
    name: 'a trustee is no parent',
    companies: [company('10001301', 'TRUSTED LTD'), company('10001302', 'TRUSTEES LTD')],
    owners: [owns('10001301', 'TRUSTEES LTD', '10001302', { natures: TRUST })],
    ancestors: [],
    top: 'no_majority',
  },
  {
    name: 'a member of a firm is no parent',
    companies: [company('10001401', 'FIRMED LTD'), company('10001402', 'PARTNERS LTD')],
    owners: [owns('10001401', 'PARTNERS LTD', '10001402', { natures: FIRM })],
    ancestors: [],
    top: 'no_majority',
  },
  {
    name: 'two that claim the majority',
    companies: [
      company('10001501', 'CLAIMED LTD'),
      company('10001502', 'ONE LTD'),
      company('10001503', 'OTHER LTD'),
      company('10001504', 'SURE LTD'),
    ],
    owners: [
      owns('10001501', 'ONE LTD', '10001502'),
      owns('10001501', 'OTHER LTD', '10001503'),
      owns('10001504', 'ONE LTD', '10001502'),
    ],
    ancestors: [],
    top: 'several_parents',
  },
  {
    name: 'an organisation and a person who both claim the majority: the organisation is followed',
    companies: [
      company('10001551', 'BOTH LTD'),
      company('10001552', 'ORGANISED LTD'),
      company('10001553', 'TOPMOST LTD'),
    ],
    owners: [
      owns('10001551', 'ORGANISED LTD', '10001552'),
      { ...person('10001551'), name: 'Claire Claims' },
      person('10001551', MINORITY),
      owns('10001552', 'TOPMOST LTD', '10001553'),
      person('10001552'),
    ],
    ancestors: ['10001552', '10001553'],
    top: 'no_owner_recorded',
  },
  {
    name: 'an organisation has the shares, and a person the right to appoint directors',
    companies: [company('10001561', 'SHARED LTD'), company('10001562', 'SHARES LTD')],
    owners: [owns('10001561', 'SHARES LTD', '10001562'), person('10001561', BOARD)],
    ancestors: ['10001562'],
    top: 'no_owner_recorded',
  },
  {
    name: 'one organisation has more than half of the shares, another of the votes',
    companies: [
      company('10001571', 'DIVIDED LTD'),
      company('10001572', 'ALL SHARES LTD'),
      company('10001573', 'ALL VOTES LTD'),
    ],
    owners: [
      owns('10001571', 'ALL SHARES LTD', '10001572', { natures: HALF }),
      owns('10001571', 'ALL VOTES LTD', '10001573', { natures: HALF_OF_VOTES }),
    ],
    ancestors: [],
    top: 'several_parents',
  },
  {
    name: 'one organisation has all shares and votes, another more than half of the votes',
    companies: [
      company('10001581', 'DISPUTED LTD'),
      company('10001582', 'OF ALL LTD'),
      company('10001583', 'OF VOTES LTD'),
    ],
    owners: [
      owns('10001581', 'OF ALL LTD', '10001582'),
      owns('10001581', 'OF VOTES LTD', '10001583', { natures: HALF_OF_VOTES }),
      person('10001581', BOARD),
    ],
    ancestors: [],
    top: 'several_parents',
  },
  {
    name: 'the same parent twice counts once',
    companies: [company('10001601', 'TWICE LTD'), company('10001602', 'AGAIN LTD')],
    owners: [
      owns('10001601', 'AGAIN LTD', '10001602'),
      owns('10001601', 'AGAIN LIMITED', '10001602', { natures: HALF }),
    ],
    ancestors: ['10001602'],
    top: 'no_owner_recorded',
  },
  {
    name: 'a parent that ceased',
    companies: [company('10001701', 'LEFT LTD'), company('10001702', 'LEAVER LTD')],
    owners: [owns('10001701', 'LEAVER LTD', '10001702', { ceased_on: '2024-01-01' })],
    ancestors: [],
    top: 'no_owner_recorded',
  },
  {
    name: 'a circle of two',
    companies: [company('10001801', 'ROUND LTD'), company('10001802', 'AND ROUND LTD')],
    owners: [owns('10001801', 'AND ROUND LTD', '10001802'), owns('10001802', 'ROUND LTD', '10001801')],
    ancestors: ['10001802'],
    top: 'circle',
    children: ['10001802'],
  },
  {
    name: 'a circle of three, asked from outside it',
    companies: [
      company('10001901', 'OUTSIDE LTD'),
      company('10001902', 'RING A LTD'),
      company('10001903', 'RING B LTD'),
      company('10001904', 'RING C LTD'),
    ],
    owners: [
      owns('10001901', 'RING A LTD', '10001902'),
      owns('10001902', 'RING B LTD', '10001903'),
      owns('10001903', 'RING C LTD', '10001904'),
      owns('10001904', 'RING A LTD', '10001902'),
    ],
    ancestors: ['10001902', '10001903', '10001904'],
    top: 'circle',
    siblings: ['10001904'],
  },
  {
    name: 'a company that claims to own itself',
    companies: [company('10002001', 'SELF LTD')],
    owners: [owns('10002001', 'SELF LTD', '10002001')],
    ancestors: [],
    top: 'no_owner_recorded',
    children: [],
  },
  {
    name: 'a Jersey number that would pad to a UK company',
    companies: [company('10002101', 'ISLANDER LTD'), company('00012345', 'ISLAND HOLDINGS LTD')],
    owners: [
      owns('10002101', 'ISLAND HOLDINGS LTD', undefined, {
        identification: { country_registered: 'Jersey', registration_number: '12345' },
      }),
    ],
    ancestors: [null],
    top: 'outside_register',
  },
  {
    name: 'the UK company of that number has no such child',
    companies: [company('00012346', 'ISLAND TWO LTD'), company('10002201', 'ISLANDER TWO LTD')],
    owners: [
      owns('10002201', 'ISLAND TWO LTD', undefined, {
        identification: { country_registered: 'Jersey', registration_number: '12346' },
      }),
    ],
    ancestors: [],
    top: 'no_owner_recorded',
    children: [],
  },
  {
    name: 'children of one foreign parent are sisters',
    companies: [company('10002301', 'DELAWARE ONE LTD'), company('10002302', 'DELAWARE TWO LTD')],
    owners: ['10002301', '10002302'].map((of) =>
      owns(of, 'BIG CORP INC', undefined, {
        identification: { country_registered: 'Delaware, USA', registration_number: 'C-99 887' },
      }),
    ),
    ancestors: [null],
    top: 'outside_register',
    siblings: ['10002302'],
  },
  ...['Nigeria', 'Lagos'].map((country, index) => ({
    name: `children of one parent of ${country}, whose number has the form of a UK one, are sisters`,
    companies: [
      company(`1000235${index}`, 'LAGOS ONE LTD'),
      company(`1000236${index}`, 'LAGOS TWO LTD'),
      company(`RC12345${index}`, 'ROYAL CHARTER COLLEGE'),
    ],
    owners: [`1000235${index}`, `1000236${index}`].map((of) =>
      owns(of, 'LAGOS HOLDINGS PLC', undefined, {
        identification: { country_registered: country, registration_number: `RC 12345${index}` },
      }),
    ),
    ancestors: [null],
    top: 'outside_register',
    siblings: [`1000236${index}`],
  })),
  {
    name: 'the same number in two countries is two parents',
    companies: [company('10002401', 'NORTH LTD'), company('10002402', 'SOUTH LTD')],
    owners: [
      owns('10002401', 'HOLD', undefined, {
        identification: { country_registered: 'Norway', registration_number: '555777' },
      }),
      owns('10002402', 'HOLD', undefined, {
        identification: { country_registered: 'Spain', registration_number: '555777' },
      }),
    ],
    ancestors: [null],
    top: 'outside_register',
    siblings: [],
  },
  {
    name: 'a word for a number makes no sisters of strangers',
    companies: [company('10004101', 'PENDING ONE LTD'), company('10004102', 'PENDING TWO LTD')],
    owners: [
      owns('10004101', 'FOO INC', undefined, {
        identification: { country_registered: 'USA', registration_number: 'Pending' },
      }),
      owns('10004102', 'BAR LLC', undefined, {
        identification: { country_registered: 'USA', registration_number: 'Pending' },
      }),
    ],
    ancestors: [null],
    top: 'outside_register',
    siblings: [],
  },
  {
    name: 'the same number in two states, under two names',
    companies: [company('10004201', 'STATE ONE LTD'), company('10004202', 'STATE TWO LTD')],
    owners: [
      owns('10004201', 'TEXAS OIL INC', undefined, {
        identification: { country_registered: 'USA', registration_number: '1234567' },
      }),
      owns('10004202', 'OHIO STEEL INC', undefined, {
        identification: { country_registered: 'USA', registration_number: '1234567' },
      }),
    ],
    ancestors: [null],
    top: 'outside_register',
    siblings: [],
  },
  {
    name: 'a record without natures of control makes no sister',
    companies: [
      company('10004301', 'CLEAR CHILD LTD'),
      company('10004302', 'CLEAR PARENT LTD'),
      company('10004303', 'UNCLEAR CHILD LTD'),
    ],
    owners: [
      owns('10004301', 'CLEAR PARENT LTD', '10004302'),
      owns('10004303', 'CLEAR PARENT LTD', '10004302', { natures: [] }),
    ],
    ancestors: ['10004302'],
    top: 'no_owner_recorded',
    siblings: [],
  },
  {
    name: 'Scottish bare digits are an SC number',
    companies: [company('10002501', 'GLEN CHILD LTD'), company('SC123401', 'GLEN PARENT LTD')],
    owners: [
      owns('10002501', 'GLEN PARENT LTD', undefined, {
        identification: { country_registered: 'Scotland', registration_number: '123401' },
      }),
    ],
    ancestors: ['SC123401'],
    top: 'no_owner_recorded',
  },
  {
    name: 'Scottish bare digits of an English company, by the name',
    companies: [
      company('10002601', 'BEN CHILD LTD'),
      company('00123402', 'BEN PARENT LTD'),
      company('SC123402', 'SOMEONE ELSE LTD'),
    ],
    owners: [
      owns('10002601', 'BEN PARENT LTD', undefined, {
        identification: { country_registered: 'Scotland', registration_number: '123402' },
      }),
    ],
    ancestors: ['00123402'],
    top: 'no_owner_recorded',
  },
  {
    name: 'and the English company sees its child',
    companies: [company('00123403', 'LOCH PARENT LTD'), company('10002701', 'LOCH CHILD LTD')],
    owners: [
      owns('10002701', 'LOCH PARENT LTD', undefined, {
        identification: { country_registered: 'Scotland', registration_number: '123403' },
      }),
    ],
    ancestors: [],
    top: 'no_owner_recorded',
    children: ['10002701'],
  },
  {
    name: 'Northern Irish bare digits',
    companies: [company('10002801', 'ULSTER CHILD LTD'), company('NI034567', 'ULSTER PARENT LTD')],
    owners: [
      owns('10002801', 'ULSTER PARENT LTD', undefined, {
        identification: { country_registered: 'Northern Ireland', registration_number: '34567' },
      }),
    ],
    ancestors: ['NI034567'],
    top: 'no_owner_recorded',
  },
  {
    name: 'a number without its zeros',
    companies: [company('10002901', 'ZEROS CHILD LTD'), company('00654321', 'ZEROS PARENT LTD')],
    owners: [owns('10002901', 'ZEROS PARENT LTD', 'Company No. 654321')],
    ancestors: ['00654321'],
    top: 'no_owner_recorded',
  },
  {
    name: 'a number whose company has another name stays unresolved',
    companies: [company('10003001', 'MISTYPED LTD'), company('10003002', 'QUITE ANOTHER LTD')],
    owners: [owns('10003001', 'MEANT HOLDINGS LTD', '10003002')],
    ancestors: [null],
    top: 'outside_register',
  },
  {
    name: 'and that company does not see it as its child',
    companies: [company('10003102', 'QUITE ANOTHER TWO LTD'), company('10003101', 'MISTYPED TWO LTD')],
    owners: [owns('10003101', 'MEANT HOLDINGS LTD', '10003102')],
    ancestors: [],
    top: 'no_owner_recorded',
    children: [],
  },
  {
    name: 'a previous name of the parent agrees too',
    companies: [
      company('10003201', 'RENAMED CHILD LTD'),
      company('10003202', 'NEW NAME LTD', { previousNames: [{ name: 'OLD NAME LTD', ceased_on: '2022-01-01' }] }),
    ],
    owners: [owns('10003201', 'OLD NAME LIMITED', '10003202')],
    ancestors: ['10003202'],
    top: 'no_owner_recorded',
  },
  {
    name: 'a dissolved parent ends the chain',
    companies: [
      company('10003301', 'ORPHAN LTD'),
      company('10003302', 'GONE PARENT LTD', { status: 'dissolved' }),
      company('10003303', 'GRANDPARENT LTD'),
    ],
    owners: [owns('10003301', 'GONE PARENT LTD', '10003302'), owns('10003302', 'GRANDPARENT LTD', '10003303')],
    ancestors: ['10003302'],
    top: 'owner_dissolved',
  },
  {
    name: 'a dissolved child is not shown',
    companies: [company('10003402', 'LIVE PARENT LTD'), company('10003401', 'DEAD CHILD LTD', { status: 'dissolved' })],
    owners: [owns('10003401', 'LIVE PARENT LTD', '10003402')],
    ancestors: [],
    top: 'no_owner_recorded',
    children: [],
  },
  {
    name: 'an overseas entity, and the people behind it',
    companies: [company('10003501', 'LAND LTD'), company('OE001234', 'PALM HOLDINGS INC')],
    owners: [
      owns('10003501', 'PALM HOLDINGS INC', 'OE001234'),
      {
        ...person('OE001234', QUARTER),
        kind: 'individual-beneficial-owner',
      },
    ],
    ancestors: ['OE001234'],
    // Of overseas entities the register has one part only, "more than 25 %": 26 % and all of it look the same.
    top: 'majority_not_stated',
  },
  {
    name: 'an overseas entity’s only owner, which may have the majority, is followed further up',
    companies: [
      company('10003511', 'LAND TWO LTD'),
      company('OE001235', 'CORAL HOLDINGS INC'),
      company('10003512', 'REEF LTD'),
      company('OE001236', 'LAGOON HOLDINGS INC'),
    ],
    owners: [
      owns('10003511', 'CORAL HOLDINGS INC', 'OE001235', ABROAD),
      beneficiary('OE001235', 'REEF LTD', '10003512'),
      beneficiary('OE001235', 'ADVISER LTD', undefined, INFLUENCE),
      beneficiary('OE001236', 'REEF LTD', '10003512'),
      person('10003512'),
    ],
    ancestors: ['OE001235', '10003512'],
    top: 'people',
  },
  {
    name: 'an overseas entity whose only owner may have the majority has no proven sisters',
    companies: [],
    owners: [],
    ask: 'OE001235',
    ancestors: ['10003512'],
    top: 'people',
    siblings: [],
  },
  {
    name: 'an overseas entity with two owners of more than a quarter each',
    companies: [company('OE001237', 'SHOAL HOLDINGS INC')],
    owners: [beneficiary('OE001237', 'EAST LTD', undefined), beneficiary('OE001237', 'WEST LTD', undefined)],
    ancestors: [],
    top: 'majority_not_stated',
  },
  {
    name: 'an overseas entity with an owner of more than a quarter, and a trustee of as much',
    companies: [company('OE001238', 'ATOLL HOLDINGS INC')],
    owners: [
      beneficiary('OE001238', 'EAST LTD', undefined),
      beneficiary('OE001238', 'TRUSTEES LTD', undefined, QUARTER_IN_TRUST),
    ],
    ancestors: [],
    top: 'majority_not_stated',
  },
  {
    name: 'a protected person ends the chain and is never "unknown"',
    companies: [company('10003601', 'QUIET LTD'), company('10003602', 'QUIET PARENT LTD')],
    owners: [
      owns('10003601', 'QUIET PARENT LTD', '10003602'),
      { of: '10003602', kind: 'super-secure-person-with-significant-control', ceased: false },
    ],
    ancestors: ['10003602'],
    top: 'protected_person',
  },
  {
    name: 'a protected person who has ceased',
    companies: [company('10003701', 'NO LONGER QUIET LTD')],
    owners: [{ of: '10003701', kind: 'super-secure-person-with-significant-control', ceased: true }],
    ancestors: [],
    top: 'no_owner_recorded',
  },
  {
    name: 'a government has no number and ends the chain',
    companies: [company('10003801', 'PUBLIC LTD'), company('10003802', 'PUBLIC TWO LTD')],
    owners: ['10003801', '10003802'].map((of) => ({
      of,
      name: 'Secretary Of State For Transport',
      natures: MAJORITY,
      kind: 'legal-person-person-with-significant-control',
      identification: { legal_form: 'Corporation Sole', legal_authority: 'UK' },
    })),
    ancestors: [null],
    top: 'outside_register',
    siblings: ['10003802'],
  },
  {
    name: '"N/A" is no number',
    companies: [company('10003901', 'NOT APPLICABLE LTD')],
    owners: [owns('10003901', 'SOMEBODY LTD', 'N/A')],
    ancestors: [null],
    top: 'outside_register',
  },
  {
    name: 'a company that states that it has no owner',
    companies: [company('10004001', 'STATED LTD')],
    owners: [states('10004001', 'no-individual-or-entity-with-signficant-control')],
    ancestors: [],
    top: 'stated',
    says: 'no registrable person',
  },
  {
    name: 'an owner who exists and is not identified, two companies up',
    companies: [company('11004101', 'UNSURE CHILD LTD'), company('11004102', 'UNSURE LTD')],
    owners: [owns('11004101', 'UNSURE LTD', '11004102'), states('11004102', 'psc-exists-but-not-identified')],
    ancestors: ['11004102'],
    top: 'stated',
    says: 'has not identified the registrable person',
  },
  {
    name: 'the newest of two statements counts, and none about a period',
    companies: [company('11004201', 'TWICE LTD')],
    owners: [
      states('11004201', 'steps-to-find-psc-not-yet-completed'),
      states('11004201', 'psc-contacted-but-no-response', { notified_on: '2023-01-01' }),
      states('11004201', 'no-change-beneficial-owner-relevant-period', { notified_on: '2024-01-01' }),
    ],
    ancestors: [],
    top: 'stated',
    says: 'a notice under section 790D',
  },
  {
    name: 'a statement that was withdrawn, and one about a period',
    companies: [company('11004301', 'WITHDRAWN LTD')],
    owners: [
      states('11004301', 'psc-exists-but-not-identified', { ceased_on: '2022-01-01' }),
      states('11004301', 'no-change-beneficial-owner-relevant-period'),
    ],
    ancestors: [],
    top: 'no_owner_recorded',
  },
  {
    name: 'a listed company, which need not name its owners',
    companies: [company('11004401', 'LISTED CHILD LTD'), company('11004402', 'LISTED PLC')],
    owners: [
      owns('11004401', 'LISTED PLC', '11004402'),
      states('11004402', 'psc-details-not-confirmed'),
      exempt('11004402', { exempt_from: '2020-01-01' }),
    ],
    ancestors: ['11004402'],
    top: 'exempt',
    says: 'admitted to trading on a UK regulated market',
  },
  {
    name: 'a company whose exemption has ended',
    companies: [company('11004501', 'DELISTED PLC')],
    owners: [exempt('11004501', { exempt_from: '2020-01-01', exempt_to: '2024-01-01' })],
    ancestors: [],
    top: 'no_owner_recorded',
  },
  {
    name: 'an owner on record counts more than a statement',
    companies: [company('11004601', 'OWNED AND STATED LTD')],
    owners: [person('11004601', MINORITY), states('11004601', 'psc-exists-but-not-identified')],
    ancestors: [],
    top: 'no_majority',
  },
  {
    name: 'a chain of twenty-five ends at twenty',
    companies: Array.from({ length: 26 }, (_, index) =>
      company(`200000${String(index).padStart(2, '0')}`, `LINK ${index} LTD`),
    ),
    owners: Array.from({ length: 25 }, (_, index) =>
      owns(
        `200000${String(index).padStart(2, '0')}`,
        `LINK ${index + 1} LTD`,
        `200000${String(index + 1).padStart(2, '0')}`,
      ),
    ),
    ancestors: Array.from({ length: 20 }, (_, index) => `200000${String(index + 1).padStart(2, '0')}`),
    top: 'too_deep',
  },
]

const it = useTestService({
  companies: CASES.flatMap(({ companies }) => companies).map(
    ({ number, name, status = 'active', previousNames = [] }) => ({
      number,
      name,
      postcode: 'HG4 1AA',
      status,
      previousNames,
    }),
  ),
})
const account = prepare(() => it.openAccount())
const folder = mkdtempSync(join(tmpdir(), 'nameplate-groups-'))
afterAll(async () => rmSync(folder, { recursive: true, force: true }))

prepare(async () => {
  const lines = CASES.flatMap(({ owners }) => owners).map(({ of, number: _number, ...members }, index) => {
    const { natures, ...data } = members
    const self = `/company/${of}/persons-with-significant-control/x/psc${index}`
    const record = {
      notified_on: '2020-01-01',
      ...data,
      ...(natures ? { natures_of_control: natures } : {}),
      links: { self },
    }
    return JSON.stringify({ company_number: of, data: record })
  })
  const path = join(folder, 'psc-snapshot-2026-11-01.txt')
  const totals = {
    kind: 'totals#persons-of-significant-control-snapshot',
    persons_of_significant_control_count: lines.length,
  }
  lines.push(JSON.stringify({ data: { ...totals, statements_count: 0, exemptions_count: 0 } }))
  writeFileSync(path, `${lines.join('\n')}\n`)
  const file = await openPscSnapshot([path], () => Promise.reject(new Error('nothing to download')))
  return importPscs(it.app, file, silentProgress)
})

const readGroup = (number: string, query = '') =>
  it.call('GET', `/v1/companies/${number}/group${query}`, { key: account.key })

test('there are forty cases and more', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(40)
})

describe.each(CASES)('$name', ({ companies, ask = companies[0]?.number ?? '', says, ...expected }) => {
  const { ancestors, top, children, siblings } = expected
  test('is read right', async () => {
    const { status, body } = await readGroup(ask)
    expect(status).toBe(200)
    const numbers = (list: { data: Array<{ company_number: string }> }) => list.data.map((each) => each.company_number)
    expect(body.ancestors.map((owner: { company_number: string | null }) => owner.company_number)).toEqual(ancestors)
    expect(body.top).toBe(top)
    expect(body.top_statement_text).toEqual(says === undefined ? null : expect.stringContaining(says))
    if (children) expect(numbers(body.children)).toEqual(children)
    if (siblings) expect(numbers(body.siblings)).toEqual(siblings)
  })
})

test('every owner that claims a majority which another claims too is marked, for programs and agents', async () => {
  type Owner = { name: string; majority_claimed_twice: boolean }
  const marked = (owners: Owner[]) => owners.filter((owner) => owner.majority_claimed_twice).map(({ name }) => name)
  const { body } = await readGroup('10001551')
  expect(marked(body.owners)).toEqual(expect.arrayContaining(['ORGANISED LTD', 'Claire Claims']))
  expect(marked(body.owners)).toHaveLength(2)
  // Of the parent, a person and TOPMOST LTD claim the majority.
  expect(marked(body.ancestors)).toEqual(['ORGANISED LTD', 'TOPMOST LTD'])
  expect(marked((await readGroup('10001501')).body.owners)).toHaveLength(2)
  expect(marked((await readGroup('10001581')).body.owners).toSorted()).toEqual(['OF ALL LTD', 'OF VOTES LTD'])
  // Two people who hold a majority together, an owner notified twice, and one owner alone.
  for (const number of ['10000201', '10001601', '10000301'])
    expect(marked((await readGroup(number)).body.owners)).toEqual([])
  await using agent = await connect(it, { 'x-api-key': account.key })
  const { text, structured } = await agent.ask('get_company_group', { company_number: '10001551' })
  expect(marked(structured.owners)).toHaveLength(2)
  expect(text).toContain('More than one owner claims the majority of BOTH LTD: ')
  expect(text).toContain('BOTH LTD belongs to ORGANISED LTD (10001552), which belongs to TOPMOST LTD (10001553).')
})

test('owners of different rights are not marked: shares and the board, shares and votes', async () => {
  for (const number of ['10001561', '10001571']) {
    const { owners } = (await readGroup(number)).body
    const marks = owners.map((owner: { majority_claimed_twice: boolean }) => owner.majority_claimed_twice)
    expect(marks).toEqual([false, false])
  }
})

test('an owner that names no company is shown with its number and country', async () => {
  const { body } = await readGroup('10002101')
  expect(body.ancestors[0]).toMatchObject({
    kind: 'organisation',
    name: 'ISLAND HOLDINGS LTD',
    country_registered: 'Jersey',
    registration_number: '12345',
  })
  expect(body.top_text).toContain('not on the UK register')
})

test('children come page by page', async () => {
  const first = await readGroup('10000602', '?limit=1')
  expect(first.body.children).toMatchObject({
    total: 2,
    data: [{ company_number: '10000601' }],
    next_cursor: '10000601',
  })
  const second = await readGroup('10000602', `?limit=1&children_cursor=${first.body.children.next_cursor}`)
  expect(second.body.children.data).toMatchObject([{ company_number: '10000603' }])
  for (const query of ['?limit=0', '?limit=x', '?limit=501']) {
    const { status, body } = await readGroup('10000602', query)
    expect([query, status, body.errors?.[0]?.field]).toEqual([query, 400, 'limit'])
  }
})

test('an agent gets the chain in one sentence', async () => {
  await using agent = await connect(it, { 'x-api-key': account.key })
  const { text, structured } = await agent.ask('get_company_group', { company_number: '10000501' })
  const { body } = await readGroup('10000501')
  const names = body.top_owners.map(({ name }: { name: string }) => name)
  expect(structured.top_owners.map(({ name }: { name: string }) => name)).toEqual(names)
  expect(names.length).toBeGreaterThan(0)
  expect(text).toContain(`Owners at the top: ${names.join('; ')}.`)
  expect(text).toContain('A LTD belongs to B LTD (10000502), which belongs to C LTD (10000503).')
  expect(text).toContain('People have the majority.')
})

test('an agent reads that the parent of an overseas entity may have no majority', async () => {
  await using agent = await connect(it, { 'x-api-key': account.key })
  const { text } = await agent.ask('get_company_group', { company_number: '10003511' })
  expect(text).toContain(
    'LAND TWO LTD belongs to CORAL HOLDINGS INC (OE001235), which belongs by more than a quarter, and may belong by more than half, to REEF LTD (10003512).',
  )
  const { body } = await readGroup('10003512')
  expect(body.children.data).toMatchObject([
    { company_number: 'OE001235', control: 'more_than_quarter' },
    {
      company_number: 'OE001236',
      control_text: 'More than a quarter of the shares or votes, which may be more than half',
    },
  ])
})

test('an agent reads that a listed company need not name its owners, and not that none is on record', async () => {
  await using agent = await connect(it, { 'x-api-key': account.key })
  const { text, structured } = await agent.ask('get_company_group', { company_number: '11004401' })
  expect(text).toContain('LISTED CHILD LTD belongs to LISTED PLC (11004402).')
  expect(text).toContain('need not name its owners. The company has been or is exempt from the requirement')
  expect(structured.top_statement_text).toContain('UK regulated market')
})

test('companies of one group are named as such, parent and child or sisters, and strangers are not', async () => {
  const companies = await findCompanies(it.app.db, ['10000601', '10000602', '10000603', '10000001'])
  const named = companies.sort((a, b) => (a.number < b.number ? -1 : 1))
  expect(await describeKinship(it.app.db, named)).toEqual([
    'MOTHER LTD (10000602) is the parent of FIRST SISTER LTD (10000601).',
    'FIRST SISTER LTD (10000601) and SECOND SISTER LTD (10000603) are sister companies with the same parent, MOTHER LTD.',
    'MOTHER LTD (10000602) is the parent of SECOND SISTER LTD (10000603).',
  ])
})

test('a company whose majority two organisations claim is named as no one’s sister and no one’s subsidiary', async () => {
  const companies = await findCompanies(it.app.db, ['10001501', '10001502', '10001503', '10001504'])
  expect(await describeKinship(it.app.db, companies)).toEqual([
    'ONE LTD (10001502) is the parent of SURE LTD (10001504).',
  ])
})

test('the spreadsheet has the parent that was notified twice, and none where two organisations claim to be it', async () => {
  expect(await listParents(it.app.db, ['10001601', '10001501'])).toEqual(
    new Map([['10001601', { name: 'AGAIN LTD', companyNumber: '10001602' }]]),
  )
})

test('an owner who is notified years late is reported, because all owners were known from the file', async () => {
  const owner = { ...person('10000101'), natures_of_control: MAJORITY, notified_on: '2017-01-01' }
  const links = { self: '/company/10000101/persons-with-significant-control/individual/late' }
  await it.app.db.query(
    `insert into register_change (company_number, kind, after, source, reference, occurred_at)
     values ('10000101', 'psc', $1, 'stream', 'late', $2)`,
    [{ ...owner, links }, new Date(it.clock.now().getTime() + 60_000)],
  )
  await recordQueuedChanges(it.app)
  const { body } = await it.call('GET', '/v1/companies/10000101/signals', { key: account.key })
  const types = body.data.map((signal: { signal_type: string }) => signal.signal_type)
  expect(types.sort()).toEqual(['majority_owner_added', 'psc_changed'])
})

test('when a parent leaves the register, its live subsidiaries have a signal, once', async () => {
  const parent = { number: '10000602', name: 'MOTHER LTD', postcode: 'HG4 1AA' }
  await recordQueuedChanges(it.app)
  for (const status of ['dissolved', 'active', 'dissolved']) {
    await putCompanies(it.app, [{ ...parent, status }])
    await recordQueuedChanges(it.app)
  }
  for (const child of ['10000601', '10000603']) {
    const { body } = await it.call('GET', `/v1/companies/${child}/signals`, { key: account.key })
    expect(
      body.data.map((signal: { signal_type: string; summary: string }) => [signal.signal_type, signal.summary]),
    ).toEqual([
      [
        'parent_dissolved',
        expect.stringMatching(/^MOTHER LTD \(10000602\), the parent of \w+ SISTER LTD, is off the register: dissolved/),
      ],
    ])
  }
})

test('a company that we do not have is not found', async () => {
  expect((await readGroup('09999999')).status).toBe(404)
})
