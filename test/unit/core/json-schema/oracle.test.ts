import { Validator } from '@cfworker/json-schema';
import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';

import { checkSchema } from '../../../../lambdas/core/json-schema/check-schema';
import { evaluate } from '../../../../lambdas/core/json-schema/evaluate';
import { randomSchema, randomValue } from '../../../support/json-schema/random-schemas';

/** `ownProperties`: a field that a value inherits is none of it. */
const ajv = new Ajv({ strict: false, ownProperties: true, validateSchema: false });

const DEEP = process.env.QUARTERJACK_DEEP !== undefined;

test('a value fits by this interpreter if it does by two other validators', () => {
  let fits = 0;
  fc.assert(
    fc.property(randomSchema, fc.array(randomValue, { minLength: 5, maxLength: 5 }), (schema, values) => {
      expect(checkSchema(schema)).toEqual({ faults: [], unchecked: [] });
      const byAjv = ajv.compile(schema);
      const byOther = new Validator(schema, '2020-12');
      for (const value of values) {
        const { is } = evaluate(schema as never, value);
        fits += Number(is === 'fits');
        expect({ value, is }).toEqual({ value, is: byAjv(value) ? 'fits' : 'unfit' });
        expect({ value, is }).toEqual({ value, is: byOther.validate(value).valid ? 'fits' : 'unfit' });
      }
      ajv.removeSchema(schema);
    }),
    { numRuns: DEEP ? 20_000 : 250 },
  );
  expect(fits).toBeGreaterThan(100);
});
