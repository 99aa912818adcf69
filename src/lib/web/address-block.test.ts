import { expect, test } from 'vitest'
import { findSiteBlock, toAddressBlock } from './address-block.ts'

test.each([
  ['203.0.113.9', '203.0.113.9', null],
  ['::ffff:203.0.113.9', '203.0.113.9', null],
  ['::FFFF:203.0.113.9', '203.0.113.9', null],
  ['::ffff:cb00:7109', '203.0.113.9', null],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0db8:0001:0002::6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
])('%s counts as %s, among its neighbours as %s', (ip, block, site) => {
  expect([toAddressBlock(ip), findSiteBlock(ip)]).toEqual([block, site])
})
