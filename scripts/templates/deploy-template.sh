#!/usr/bin/env bash
# Deploys a template of this folder as the stack "quarterjack", with the AWS command line alone.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: deploy-template.sh own-pool|own-issuer --bucket NAME [flags]

  own-pool                  the stack makes a Cognito user pool
  own-issuer                tokens come from your OIDC issuer (--issuer, --audience)

  --bucket NAME             bucket for the code of the functions, in the region of the stack
  --create-bucket           make the bucket, if you have none of this name
  --prefix PREFIX           what keys in the bucket begin with (default: quarterjack/)
  --alarm-email ADDRESS     gets the alarms
  --issuer URL              the issuer of the tokens
  --audience TEXT           the claim "aud" of the tokens
  --function-prefix TEXT    jobs may call functions whose names begin with this (default: jobs-)
  --log-retention-days N    days that logs are kept (default: 14)
  --review                  make a change set, and do not execute it
  -h, --help                print this help

A value may also follow its flag after "=": --bucket=NAME.

A first call needs --alarm-email, and own-issuer also --issuer and --audience. Later calls keep what they
leave out, except the prefix. Credentials and region are those of your environment.
Exit codes: 0 done, 1 failed, 2 wrong flags, 3 a file or a program is missing or changed.
TEXT
}

STACK=quarterjack
# CloudFormation takes a longer template from S3 alone.
MAX_DIRECT_BYTES=51200

fail() {
  local code=$1
  shift
  echo "deploy-template: $*" >&2
  exit "$code"
}

# A field of a declaration; nothing if it has none.
field() {
  local pair="\"$2\":(\"([^\"]*)\"|[[]([0-9,]*)[]]|([0-9]+))"
  [[ $1 =~ $pair ]] || return 0
  echo "${BASH_REMATCH[2]}${BASH_REMATCH[3]}${BASH_REMATCH[4]}"
}

# Refuses a value that CloudFormation would refuse after the uploads. The template is one line of JSON.
check() {
  local flag=$1 parameter=${2%%=*} value=${2#*=} declared pattern allowed expected min max LC_ALL=C
  local texts='("[^"]*"|[^"{}])*'
  declared=$(grep -oE "\"$parameter\":\{\"Type\":$texts\}" "$template.template.json" || true)
  [[ -n $declared ]] || fail 3 "$template.template.json has no parameter $parameter"
  expected=$(field "$declared" ConstraintDescription)
  allowed=$(field "$declared" AllowedValues)
  pattern=$(field "$declared" AllowedPattern)
  min=$(field "$declared" MinLength)
  max=$(field "$declared" MaxLength)
  [[ -z $allowed ]] || pattern=${allowed//,/|} expected="expected one of ${allowed//,/, }"
  [[ -z $max ]] || expected+=", ${min:-0} to $max characters"
  [[ $value =~ ^($pattern)$ ]] && ((${#value} >= ${min:-0} && ${#value} <= ${max:-${#value}})) ||
    fail 2 "$flag is \"$value\"; $expected (parameter $parameter)"
}

template='' bucket='' create=no review=no prefix=quarterjack/
flags=() parameters=()
case ${1-} in
  own-pool | own-issuer) template=$1 && shift ;;
  -h | --help) usage && exit 0 ;;
  *) fail 2 "the template is \"${1-}\"; expected own-pool or own-issuer" ;;
esac
while (($# > 0)); do
  [[ $1 != --*=* ]] || set -- "${1%%=*}" "${1#*=}" "${@:2}"
  case $1 in
    --create-bucket) create=yes && shift && continue ;;
    --review) review=yes && shift && continue ;;
    -h | --help) usage && exit 0 ;;
    --bucket | --prefix | --alarm-email | --function-prefix | --log-retention-days | --issuer | --audience) ;;
    *) fail 2 "$1 is not known; see --help" ;;
  esac
  [[ -n ${2-} && $2 != --* ]] || fail 2 "$1 has no value; see --help"
  case $1 in
    --bucket) bucket=$2 ;;
    --prefix) prefix=$2 ;;
    --alarm-email) flags+=("$1") parameters+=("AlarmEmail=$2") ;;
    --function-prefix) flags+=("$1") parameters+=("AllowedFunctionPrefix=$2") ;;
    --log-retention-days) flags+=("$1") parameters+=("LogRetentionDays=$2") ;;
    --issuer | --audience)
      [[ $template == own-issuer ]] || fail 2 "$1 is a flag of own-issuer; the template is $template"
      flags+=("$1")
      if [[ $1 == --issuer ]]; then parameters+=("Issuer=$2"); else parameters+=("Audience=$2"); fi
      ;;
  esac
  shift 2
done
[[ -n $bucket ]] || fail 2 "--bucket is missing; expected the name of a bucket"
flags=(--bucket --prefix ${flags[@]+"${flags[@]}"})
parameters=("AssetsBucket=$bucket" "AssetsPrefix=$prefix" ${parameters[@]+"${parameters[@]}"})

cd "$(dirname "${BASH_SOURCE[0]}")"
if command -v sha256sum >/dev/null; then sums=(sha256sum); else sums=(shasum -a 256); fi
"${sums[@]}" -c SHA256SUMS >/dev/null || fail 3 "files of this folder are not those of SHA256SUMS"
# A sum that is missing would let a file pass unchecked.
for file in "$template.template.json" \
  $(grep -oE '[0-9a-f]{64}\.zip' "$template.template.json" | sort -u | sed 's|^|assets/|'); do
  grep -qF "  $file" SHA256SUMS || fail 3 "SHA256SUMS has no sum of $file"
done
for ((i = 0; i < ${#parameters[@]}; i++)); do check "${flags[i]}" "${parameters[i]}"; done
command -v aws >/dev/null || fail 3 "aws is missing; install the AWS command line"

region=$(aws configure get region || true)
region=${AWS_REGION:-${AWS_DEFAULT_REGION:-$region}}
[[ -n $region ]] || fail 2 "there is no region; set AWS_REGION"
export AWS_REGION=$region
trap 'fail 1 "stopped, because a command of AWS failed; its error is above"' ERR
account=$(aws sts get-caller-identity --query Account --output text)
echo "account $account, region $region"

# The owner is asked for: code of functions must not be in a bucket of another account.
owned=(--bucket "$bucket" --expected-bucket-owner "$account")
if ! said=$(aws s3api head-bucket "${owned[@]}" 2>&1); then
  [[ $said == *'(404)'* ]] || fail 1 "the bucket $bucket is not one of account $account in $region: $said"
  [[ $create == yes ]] || fail 1 "you have no bucket $bucket; make it with --create-bucket"
  echo "making the bucket $bucket"
  place=()
  [[ $region == us-east-1 ]] || place=(--create-bucket-configuration "LocationConstraint=$region")
  aws s3api create-bucket --bucket "$bucket" ${place[@]+"${place[@]}"} >/dev/null
fi

# The files of the manifest alone: their sums were checked.
while read -r _ file; do
  [[ $file == assets/* ]] || continue
  echo "uploading $file"
  aws s3api put-object "${owned[@]}" --key "$prefix${file#assets/}" --body "$file" \
    --checksum-algorithm SHA256 >/dev/null </dev/null
done <SHA256SUMS

bytes=$(wc -c <"$template.template.json")
by_s3=()
if ((bytes > MAX_DIRECT_BYTES)); then
  echo "the template has $((bytes)) bytes, above $MAX_DIRECT_BYTES: it goes by S3"
  by_s3=(--s3-bucket "$bucket" --s3-prefix "${prefix%/}")
fi
only_review=()
[[ $review == no ]] || only_review=(--no-execute-changeset)
if ! aws cloudformation deploy --stack-name "$STACK" --template-file "$template.template.json" \
  --capabilities CAPABILITY_IAM --no-fail-on-empty-changeset ${by_s3[@]+"${by_s3[@]}"} \
  ${only_review[@]+"${only_review[@]}"} \
  --parameter-overrides "${parameters[@]}"; then
  aws cloudformation describe-stack-events --stack-name "$STACK" --output table --query \
    "StackEvents[?contains(ResourceStatus,'FAILED')].[LogicalResourceId,ResourceStatusReason]" >&2 || true
  fail 1 "the stack $STACK is not as the template says; the events above say why"
fi
[[ $review == no ]] || exit 0
aws cloudformation describe-stacks --stack-name "$STACK" --output table --query \
  'Stacks[0].Outputs[].[OutputKey,OutputValue]'
