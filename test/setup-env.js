/**
 * Environment variables that the AWS SDK reads, so that no test depends on the machine. Existing values stay.
 */
const defaults = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
};
for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value;
