import { describe, expect, it } from 'vitest';
import { needsPostalCode, needsState, toPlace } from './location.ts';
import { CA_PROVINCES, provinceOfPostalCode, stateOfZip, US_STATES } from './regions.ts';

function placeOf(countryCode: string, postalCode: string | null = null, state: string | null = null) {
  return toPlace({ countryCode, state, postalCode });
}

describe('place of supply', () => {
  it('is the country where nothing special is known', () => {
    expect(placeOf('DE', '10115')).toEqual({ country: 'DE', region: null, territory: null, isInEuVat: true });
    expect(placeOf('jp')).toEqual({ country: 'JP', region: null, territory: null, isInEuVat: false });
  });

  it.each([
    ['ES', '35001', 'ES', 'IC'],
    ['ES', '38640', 'ES', 'IC'],
    ['ES', 'E-35001', 'ES', 'IC'],
    ['ES', 'es 51001', 'ES', 'CE'],
    ['ES', '51001', 'ES', 'CE'],
    ['ES', '52006', 'ES', 'ML'],
    ['FI', '22100', 'FI', 'AX'],
    ['FI', 'AX-22100', 'FI', 'AX'],
    ['FI', 'FI-22100', 'FI', 'AX'],
    ['FI', 'FIN-22100', 'FI', 'AX'],
    ['DE', 'D-78266', 'DE', 'BUESINGEN'],
    ['IT', 'I-23041', 'IT', 'LIVIGNO'],
    ['FR', 'F-97110', 'FR', 'GP'],
    ['AX', null, 'FI', 'AX'],
    ['IC', null, 'ES', 'IC'],
    ['DE', '78266', 'DE', 'BUESINGEN'],
    ['DE', '27498', 'DE', 'HELIGOLAND'],
    ['IT', '23041', 'IT', 'LIVIGNO'],
    ['IT', '23030', 'IT', 'LIVIGNO'],
    ['IT', '22061', 'IT', 'CAMPIONE'],
    ['IT', '22060', 'IT', 'CAMPIONE'],
    ['GR', '630 86', 'GR', 'ATHOS'],
    ['FR', '97110', 'FR', 'GP'],
    ['RE', null, 'FR', 'RE'],
    ['GF', '97300', 'FR', 'GF'],
    ['CH', '8238', 'DE', 'BUESINGEN'],
    ['CH', '6911', 'IT', 'CAMPIONE'],
  ])('puts %s %s outside the VAT area: %s, %s', (country, postalCode, expected, territory) => {
    expect(placeOf(country, postalCode)).toEqual({
      country: expected,
      region: null,
      territory,
      isInEuVat: false,
    });
  });

  it.each([
    ['PT', '9000-123', 'PT', 'MADEIRA'],
    ['PT', '9500', 'PT', 'AZORES'],
    ['PT', 'P-9500', 'PT', 'AZORES'],
    ['AT', '6991', 'AT', 'MITTELBERG'],
    ['DE', '87568', 'AT', 'MITTELBERG'],
    ['MC', '98000', 'FR', 'MC'],
  ])('keeps %s %s inside the VAT area: %s, %s', (country, postalCode, expected, territory) => {
    expect(placeOf(country, postalCode)).toEqual({
      country: expected,
      region: null,
      territory,
      isInEuVat: true,
    });
  });

  it('counts Northern Ireland and the Isle of Man as the United Kingdom, outside the EU', () => {
    expect(placeOf('GB', 'BT1 5GS')).toMatchObject({ country: 'GB', territory: 'NI', isInEuVat: false });
    expect(placeOf('GB', 'GB-BT1 5GS')).toMatchObject({ country: 'GB', territory: 'NI' });
    expect(placeOf('IM')).toMatchObject({ country: 'GB', territory: 'IM', isInEuVat: false });
    expect(placeOf('GB', 'JE2 3AB')).toMatchObject({ country: 'JE' });
  });

  it.each([
    ['ES', '28001'],
    ['ES', 'E-28001'],
    ['ES', '3500'],
    ['PT', '1000-001'],
    ['PT', '8999'],
    ['DE', '78267'],
    ['FI', '00100'],
    ['GB', 'B1 1AA'],
    ['FR', '75001'],
  ])('leaves %s %s on the mainland', (country, postalCode) => {
    expect(placeOf(country, postalCode)).toMatchObject({ country, territory: null });
  });
});

describe('states and provinces', () => {
  it('reads a code, a prefixed code and a name', () => {
    for (const state of ['NY', 'ny', 'US-NY', 'New York', ' new york ']) {
      expect(placeOf('US', null, state).region).toBe('NY');
    }
    for (const state of ['QC', 'CA-QC', 'Quebec', 'Québec']) {
      expect(placeOf('CA', null, state).region).toBe('QC');
    }
  });

  it('takes the given state over the postal code, and the postal code over nothing', () => {
    expect(placeOf('US', '10001', 'NJ').region).toBe('NJ');
    expect(placeOf('US', '10001-1234').region).toBe('NY');
    expect(placeOf('US', '10001', 'Atlantis').region).toBe('NY');
    expect(placeOf('CA', 'm5v 2t6').region).toBe('ON');
    expect(placeOf('CA', 'CA-M5V 2T6').region).toBe('ON');
    expect(placeOf('US', 'US-10001').region).toBe('NY');
    expect(placeOf('US', '1').region).toBe(null);
    expect(placeOf('US', null, 'toString').region).toBe(null);
  });

  it('takes the territories that have a country code for regions of the United States', () => {
    expect(placeOf('PR', '00901')).toEqual({
      country: 'US',
      region: 'PR',
      territory: null,
      isInEuVat: false,
    });
  });

  it.each([
    ['02110', 'MA'],
    ['00501', 'NY'],
    ['05401', 'VT'],
    ['05501', 'MA'],
    ['06830', 'CT'],
    ['19801', 'DE'],
    ['20001', 'DC'],
    ['20101', 'VA'],
    ['33101', 'FL'],
    ['59601', 'MT'],
    ['73301', 'TX'],
    ['75201', 'TX'],
    ['90210', 'CA'],
    ['96701', 'HI'],
    ['96799', 'AS'],
    ['96910', 'GU'],
    ['96950', 'MP'],
    ['97201', 'OR'],
    ['98101', 'WA'],
    ['99501', 'AK'],
    ['00901', 'PR'],
    ['00802', 'VI'],
    ['88510', 'TX'],
    ['87101', 'NM'],
    ['00000', null],
    ['ABCDE', null],
  ])('finds the state of ZIP %s: %s', (zip, state) => {
    expect(stateOfZip(zip)).toBe(state);
  });

  it('finds every state by some ZIP code and names none that does not exist', () => {
    const found = new Set<string>();
    for (let prefix = 0; prefix < 1000; prefix += 1) {
      const state = stateOfZip(`${String(prefix).padStart(3, '0')}10`);
      if (state !== null) found.add(state);
    }
    expect([...found, 'AS', 'MP'].sort()).toEqual(Object.keys(US_STATES).sort());
  });

  it.each([
    ['A1A1A1', 'NL'],
    ['B3H0A1', 'NS'],
    ['C1A1A1', 'PE'],
    ['E1A1A1', 'NB'],
    ['H2X1Y4', 'QC'],
    ['K1A0B1', 'ON'],
    ['R3C0A1', 'MB'],
    ['S4P0A1', 'SK'],
    ['T5J0A1', 'AB'],
    ['V6B0A1', 'BC'],
    ['X0A0H0', 'NU'],
    ['X1A0A1', 'NT'],
    ['Y1A0A1', 'YT'],
    ['V6B', 'BC'],
    ['D1A1A1', null],
    ['', null],
  ])('finds the province of %s: %s', (postalCode, province) => {
    expect(provinceOfPostalCode(postalCode)).toBe(province);
    if (province !== null) expect(CA_PROVINCES).toHaveProperty(province);
  });

  it('asks for a postal code in four countries and for a state in two', () => {
    expect(['US', 'CA', 'UA', 'IN'].every(needsPostalCode)).toBe(true);
    expect(['DE', 'GB', 'XK'].some(needsPostalCode)).toBe(false);
    expect(['US', 'CA'].every(needsState)).toBe(true);
    expect(['UA', 'IN', 'AU'].some(needsState)).toBe(false);
  });
});
