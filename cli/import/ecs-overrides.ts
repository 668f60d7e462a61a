import { type Json, neededText, objectsIn, textIn, Unmapped } from './json';

/** The variables of one container. Whatever else may be overridden would be code under another's role. */
export function overridesOf(overrides: Json): Json {
  const { containerOverrides: _, ...rest } = overrides;
  const [first, ...more] = objectsIn(overrides, 'containerOverrides');
  if (Object.keys(rest).length > 0)
    throw new Unmapped(
      `its input overrides ${Object.keys(rest).join(', ')}: use a task definition of its own`,
    );
  if (!first) return {};
  if (more.length > 0)
    throw new Unmapped('its input overrides several containers: a job gives one its variables');
  const { name: _name, environment: _environment, ...others } = first;
  if (Object.keys(others).length > 0)
    throw new Unmapped(
      `its input overrides ${Object.keys(others).join(', ')}: use a task definition of its own`,
    );
  const variables = objectsIn(first, 'environment').map((one) => [
    neededText(one, 'name'),
    textIn(one, 'value') ?? '',
  ]);
  return {
    container: neededText(first, 'name'),
    ...(variables.length > 0 && { environment: Object.fromEntries(variables) as Json }),
  };
}
