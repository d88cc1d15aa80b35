/** What a parameter may be, as the official client's types say it. */
export interface Shape {
  is: 'any' | 'array' | 'boolean' | 'integer' | 'map' | 'number' | 'object' | 'string';
  isRequired?: boolean;
  /** An empty text takes it away. */
  mayBeEmpty?: boolean;
  oneOf?: readonly string[];
  of?: Shape;
  fields?: Readonly<Record<string, Shape>>;
  /** What it may be in place of an object. */
  orScalar?: 'boolean' | 'integer' | 'string';
}
