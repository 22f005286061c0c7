//! Encrypts pushes for one browser (RFC 8291), as one record of the coding `aes128gcm` (RFC 8188).
//! The steps are those of the RFC over the primitives of `aws-lc-rs`; the one crate that has them
//! brings a second generation of every curve, hash and cipher (docs/decisions.md).

use anyhow::{Context, Result, ensure};
use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};

use domain::ids;

/// Size of a record, in bytes: push services accept no more (RFC 8030, section 7.2).
const RECORD: u32 = 4096;
/// Maximum length of a message, in bytes: the record without header, delimiter and tag.
const MAX_MESSAGE: usize = RECORD as usize - 86 - 1 - 16;
/// Marks the end of the message in the last record.
const LAST: u8 = 2;

/// Encrypts `message` for the browser with this public key (an uncompressed point) and secret.
pub fn encrypt(message: &[u8], key: &[u8], secret: &[u8]) -> Result<Vec<u8>> {
    let own = PrivateKey::generate(&ECDH_P256).context("no key could be made")?;
    seal(message, key, secret, &own, &ids::random_bytes())
}

fn seal(
    message: &[u8],
    key: &[u8],
    secret: &[u8],
    own: &PrivateKey,
    salt: &[u8; 16],
) -> Result<Vec<u8>> {
    ensure!(message.len() <= MAX_MESSAGE, "the message is too long");
    let own_key = own.compute_public_key().context("no public key")?;
    let info = [b"WebPush: info\0", key, own_key.as_ref()];
    let invalid = anyhow::anyhow!("the key of the browser is invalid");
    let input: [u8; 32] = agree(
        own,
        UnparsedPublicKey::new(&ECDH_P256, key),
        invalid,
        |shared| derived(&Salt::new(HKDF_SHA256, secret).extract(shared), &info),
    )?;
    let pseudo_random = Salt::new(HKDF_SHA256, salt).extract(&input);
    let content_key: [u8; 16] = derived(&pseudo_random, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; 12] = derived(&pseudo_random, &[b"Content-Encoding: nonce\0"])?;

    let mut sealed = message.to_vec();
    sealed.push(LAST);
    let content_key = UnboundKey::new(&AES_128_GCM, &content_key).context("no key")?;
    let nonce = Nonce::assume_unique_for_key(nonce);
    LessSafeKey::new(content_key)
        .seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed)
        .context("it could not be encrypted")?;

    let mut body = salt.to_vec();
    body.extend_from_slice(&RECORD.to_be_bytes());
    body.push(u8::try_from(own_key.as_ref().len())?);
    body.extend_from_slice(own_key.as_ref());
    body.append(&mut sealed);
    Ok(body)
}

/// The length of derived bytes.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derived<const N: usize>(key: &Prk, info: &[&[u8]]) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let output = key.expand(info, Length(N)).context("no key")?;
    output.fill(&mut bytes).context("no key")?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn the_example_of_the_rfc_is_encrypted_to_the_byte() {
        // RFC 8291, section 5 and appendix A.
        let own = bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let own = PrivateKey::from_private_key(&ECDH_P256, &own).unwrap();
        let key = bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIA\
             iw4",
        );
        let secret = bytes("BTBZMqHH6r4Tts7J_aSIgg");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let message = b"When I grow up, I want to be a watermelon";
        let body = seal(message, &key, &secret, &own, &salt).unwrap();
        assert_eq!(
            URL_SAFE_NO_PAD.encode(body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc\
             InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV\
             WGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn a_longer_message_than_a_record_and_an_invalid_key_are_refused() {
        let own = PrivateKey::generate(&ECDH_P256).unwrap();
        let key = own.compute_public_key().unwrap();
        let message = vec![b'x'; MAX_MESSAGE];
        let body = encrypt(&message, key.as_ref(), &[7; 16]).unwrap();
        assert_eq!(body.len(), RECORD as usize);
        let longer = vec![b'x'; MAX_MESSAGE + 1];
        assert!(encrypt(&longer, key.as_ref(), &[7; 16]).is_err());
        assert!(encrypt(b"x", &[4; 65], &[7; 16]).is_err());
    }
}
